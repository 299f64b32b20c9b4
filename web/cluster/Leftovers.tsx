// Leases with the lab's label that no run of this lab made: a crash left them, or another lab is at work.
import { Button } from "../parts/Button.tsx";
import type { Leftover } from "./api.ts";
import { deleteLeftovers } from "./run.ts";
import { useCluster } from "./store.ts";
import css from "./ClusterDialog.module.css";

/** Written more recently than this, a Lease may belong to another lab that is at work. */
const FRESH_MS = 10 * 60_000;

export function Leftovers() {
  const leftovers = useCluster((state) => state.leftovers);
  const nowMs = useCluster((state) => state.leftoversAtMs);
  if (leftovers.length === 0) return null;
  const old = leftovers.filter((leftover) => !isFresh(leftover, nowMs));
  return (
    <section aria-label="Left over" className={css.leftovers}>
      <h3 className={css.heading}>Left by earlier runs, or of another lab</h3>
      <ul className={css.checks}>
        {leftovers.map((leftover) => (
          <li key={leftover.uid} className={css.leftover}>
            <span>
              <code>{leftover.name}</code>{" "}
              <span className={css.remedy}>
                {ageText(leftover, nowMs)}
                {isFresh(leftover, nowMs) && ": another lab may be at work on it"}
              </span>
            </span>
            <Button
              isSmall
              aria-label={`Delete ${leftover.name}`}
              onClick={() => void deleteLeftovers(window, [leftover.uid])}
            >
              Delete
            </Button>
          </li>
        ))}
      </ul>
      {old.length > 1 && (
        <Button
          isSmall
          onClick={() =>
            void deleteLeftovers(
              window,
              old.map(({ uid }) => uid),
            )
          }
        >
          Delete the {old.length} that nobody wrote for 10 minutes
        </Button>
      )}
    </section>
  );
}

const isFresh = ({ writtenAtMs }: Leftover, nowMs: number): boolean =>
  writtenAtMs !== null && nowMs - writtenAtMs < FRESH_MS;

function ageText({ writtenAtMs }: Leftover, nowMs: number): string {
  if (writtenAtMs === null) return "written at an unknown time";
  const minutes = Math.floor((nowMs - writtenAtMs) / 60_000);
  if (minutes < 1) return "written less than a minute ago";
  if (minutes < 120) return `last written ${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `last written ${hours} h ago` : `last written ${Math.floor(hours / 24)} days ago`;
}
