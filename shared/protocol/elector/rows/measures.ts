// What a run on the bench came to, in figures that a row can state.
import type { Happened, HappenedOf, Run } from "./bench.ts";

type Kind = Happened["kind"];

/** Everything of one kind, of one player or of all. */
export function all<K extends Kind>(run: Run, kind: K, player?: string): readonly HappenedOf<K>[] {
  return run.happened.filter(
    (happened): happened is HappenedOf<K> =>
      happened.kind === kind && (player === undefined || happened.player === player),
  );
}

export const times = (run: Run, kind: Kind, player: string): readonly number[] =>
  all(run, kind, player).map(({ atMs }) => atMs);

/** [from, to) in which the guarded work of a player ran; `to` is Infinity while it still does. */
export function workSpans(run: Run, player: string): readonly (readonly [number, number])[] {
  const ends = run.happened.filter(
    (happened) =>
      happened.player === player && (happened.kind === "work-stopped" || happened.kind === "crashed"),
  );
  return all(run, "started", player).map(({ atMs }) => [
    atMs,
    ends.find((end) => end.atMs >= atMs)?.atMs ?? Infinity,
  ]);
}

/** For how long the guarded work of both ran at once. */
export function overlapMs(run: Run, left: string, right: string, untilMs: number): number {
  let overlap = 0;
  for (const [from, to] of workSpans(run, left))
    for (const [otherFrom, otherTo] of workSpans(run, right))
      overlap += Math.max(0, Math.min(to, otherTo, untilMs) - Math.max(from, otherFrom));
  return overlap;
}

/** From the moment that a player read a holder other than itself until its work had stopped. */
export function ledOnAfterReadingMs(run: Run, player: string, holder: string): number {
  const read = all(run, "answered", player).find(
    ({ result }) => result.kind === "ok" && result.lease?.spec.holderIdentity === holder,
  );
  const stopped = all(run, "work-stopped", player)[0];
  return (stopped?.atMs ?? Infinity) - (read?.atMs ?? Infinity);
}

/** The verbs that a player has called in [fromMs, toMs), in order. */
export function verbs(run: Run, player: string, fromMs: number, toMs: number): string {
  return all(run, "call", player)
    .filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
    .map(({ request }) => request.verb)
    .join(" ");
}

/** Writes that freed a Lease which the writer did not hold any more. */
export const releasesOfOthers = (run: Run): readonly string[] =>
  all(run, "committed")
    .filter(({ player, lease, before }) => {
      const holder = before?.spec.holderIdentity ?? "";
      return player !== "" && lease.spec.holderIdentity === "" && holder !== player;
    })
    .map(({ player, before }) => `${player} freed ${before?.spec.holderIdentity ?? ""}`);

/** Whether a Lease was given up while the work of its holder still ran. */
export function releasedUnderWork(run: Run, player: string): boolean {
  const free = run.happened.findIndex(
    (happened) =>
      happened.kind === "committed" &&
      happened.player === player &&
      happened.lease.spec.holderIdentity === "",
  );
  const stopped = run.happened.findIndex(
    (happened) => happened.kind === "work-stopped" && happened.player === player,
  );
  return free >= 0 && (stopped < 0 || free < stopped);
}
