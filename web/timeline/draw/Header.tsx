// The names of the lanes and how each fares at the cursor. Stays visible while the picture scrolls.
import type { LaneCondition } from "../../../shared/systems/system.ts";
import { HEADER } from "../layout/metrics.ts";
import type { LaneMark } from "../layout/marks.ts";
import { elide } from "../layout/textWidth.ts";
import styles from "./Header.module.css";

const TITLE_SIZE = 13.5;
const SAYS_SIZE = 11;

export function HeaderMarks({
  lanes,
  conditions,
  width,
}: {
  readonly lanes: readonly LaneMark[];
  readonly conditions: readonly LaneCondition[];
  readonly width: number;
}) {
  return (
    <g>
      {lanes.map((lane) => {
        const condition = conditions.find((candidate) => candidate.lane === lane.id);
        const says = condition?.says ?? lane.subtitle;
        const state = condition?.condition ?? "running";
        return (
          <g key={lane.id} className={state === "down" ? styles.down : undefined}>
            <title>{`${lane.title}, ${lane.subtitle}: ${says}`}</title>
            <text className={styles.title} x={lane.x} y={22} textAnchor="middle">
              {elide(lane.title, TITLE_SIZE, lane.titleRoom, "bold")}
            </text>
            <text className={styles.says} x={lane.x} y={38} textAnchor="middle">
              {elide(says, SAYS_SIZE, lane.titleRoom)}
            </text>
            {lane.bands.map((band) => (
              <text key={band.id} className={styles.letter} x={band.x} y={57} textAnchor="middle">
                <title>{band.meaning}</title>
                {band.letter}
              </text>
            ))}
          </g>
        );
      })}
      <line className={styles.edge} x1={0} x2={width} y1={HEADER - 0.5} y2={HEADER - 0.5} />
    </g>
  );
}
