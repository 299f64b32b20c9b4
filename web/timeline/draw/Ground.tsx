// What lies under everything: grid lines, the lanes' own lines, folded stretches.
import type { LaneMark, TickMark } from "../layout/marks.ts";
import { GUTTER } from "../layout/metrics.ts";
import styles from "./Ground.module.css";

/** Grid lines at the ticks of the axis. */
export function Grid({ ticks, width }: { readonly ticks: readonly TickMark[]; readonly width: number }) {
  return (
    <g>
      {ticks.map((tick) => (
        <line key={tick.atMs} className={styles.grid} x1={GUTTER} x2={width} y1={tick.y} y2={tick.y} />
      ))}
    </g>
  );
}

/** The lanes' own lines: one for a register or a sink, one under each band of a process. */
export function LaneLines({
  lanes,
  y0,
  y1,
}: {
  readonly lanes: readonly LaneMark[];
  readonly y0: number;
  readonly y1: number;
}) {
  return (
    <g>
      {lanes.map((lane) =>
        lane.bands.length === 0 ? (
          <line key={lane.id} className={styles.lane} x1={lane.x} x2={lane.x} y1={y0} y2={y1} />
        ) : (
          lane.bands.map((band) => (
            <line
              key={`${lane.id} ${band.id}`}
              className={styles.track}
              x1={band.x}
              x2={band.x}
              y1={y0}
              y2={y1}
            />
          ))
        ),
      )}
    </g>
  );
}
