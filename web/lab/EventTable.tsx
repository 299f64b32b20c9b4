// The events as a table: everything that the picture shows, in rows.
import { memo, useEffect, useMemo, useRef, useState } from "react";
import type { Event } from "../../shared/systems/event.ts";
import { violations } from "../state/derive.ts";
import { goToEvent } from "../state/store.ts";
import { Button } from "../parts/Button.tsx";
import { Epoch } from "../parts/Epoch.tsx";
import { clockText, type Seen } from "./useHere.ts";
import css from "./EventTable.module.css";

/** Rows on one page: a long run would be more than a browser lays out between two steps. */
const PAGE = 200;

export function EventTable({ here }: { readonly here: Seen }) {
  const { origin, run, end, from, view } = here;
  const broken = useMemo(() => new Set(violations(origin, run)), [origin, run]);
  const { events } = run;
  const pages = Math.max(1, Math.ceil(events.length / PAGE));
  const cursorPage = Math.min(pages - 1, Math.floor(Math.max(0, end - 1) / PAGE));
  // The page that the reader turned to, until the cursor moves to another one.
  const [turned, setTurned] = useState({ cursorPage, page: cursorPage });
  const page = turned.cursorPage === cursorPage ? Math.min(turned.page, pages - 1) : cursorPage;
  const titles = new Map(origin.system.lanes(origin.config).map((lane) => [lane.id, lane.title]));
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const rows = frame.current?.querySelectorAll("[aria-current]");
    rows?.[rows.length - 1]?.scrollIntoView({ block: "nearest" });
  }, [run, end]);
  const turn = (to: number): void => setTurned({ cursorPage, page: to });
  return (
    <div
      ref={frame}
      className={css.frame}
      tabIndex={0}
      role="region"
      aria-label="Events as a table"
      data-scrolls
    >
      <table className={css.table}>
        <caption className={css.caption}>
          {events.length} events on this line; {end} have happened at the cursor.
        </caption>
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Time, s</th>
            <th scope="col">Where</th>
            <th scope="col">Own clock, s</th>
            <th scope="col">Epoch</th>
            <th scope="col">What happened</th>
            <th scope="col">Because of</th>
          </tr>
        </thead>
        <tbody>
          {events.slice(page * PAGE, (page + 1) * PAGE).map((event) => (
            <Row
              key={event.seq}
              event={event}
              where={titles.get(event.lane) ?? event.lane}
              text={origin.system.narrate(event)}
              epoch={view.epochOf(event)}
              isBreaking={broken.has(event.seq)}
              place={event.seq >= end ? "ahead" : event.seq >= from ? "now" : "past"}
            />
          ))}
        </tbody>
      </table>
      {pages > 1 && (
        <div className={css.pages}>
          <Button
            isSmall
            refusal={page === 0 ? "This is the first page." : null}
            onClick={() => turn(page - 1)}
          >
            Earlier events
          </Button>
          <span>
            {page * PAGE + 1} to {Math.min(events.length, (page + 1) * PAGE)} of {events.length}
          </span>
          <Button
            isSmall
            refusal={page === pages - 1 ? "This is the last page." : null}
            onClick={() => turn(page + 1)}
          >
            Later events
          </Button>
        </div>
      )}
    </div>
  );
}

const Row = memo(function Row({
  event,
  where,
  text,
  epoch,
  isBreaking,
  place,
}: {
  readonly event: Event;
  readonly where: string;
  readonly text: string;
  readonly epoch: number;
  /** Whether a rule is first broken here. */
  readonly isBreaking: boolean;
  readonly place: "past" | "now" | "ahead";
}) {
  return (
    <tr
      data-place={place}
      data-breaks={isBreaking ? "" : undefined}
      aria-current={place === "now" ? "step" : undefined}
    >
      <th scope="row">
        <button type="button" className={css.go} onClick={() => goToEvent(event.seq)}>
          {event.seq + 1}
        </button>
      </th>
      <td>{clockText(event.at)}</td>
      <td>{where}</td>
      <td>{event.localAt === null ? "" : clockText(event.localAt)}</td>
      <td>
        {epoch > 0 && (
          <Epoch ordinal={epoch} title={`acquisition ${epoch}`}>
            {""}
          </Epoch>
        )}
      </td>
      <td className={css.text}>
        {text}
        {isBreaking && <b className={css.breaks}> Breaks a rule.</b>}
      </td>
      <td>{event.cause === null ? "" : event.cause + 1}</td>
    </tr>
  );
});
