// A shared session: what is done here goes to the server change by change, what others do comes by the event stream. The
// server's revision fences the writers: whoever comes too late loads the newest and keeps its own line as a branch.
import { create } from "zustand";
import * as z from "../../shared/base/zod.ts";
import { sentence } from "../../shared/base/result.ts";
import { resolveOrigin } from "../../shared/scenario/origin.ts";
import { applyChange } from "../../shared/trace/change.ts";
import { parseChange, parseRecording } from "../../shared/trace/codec.ts";
import type { Moment, Recording } from "../../shared/trace/recording.ts";
import { originOf } from "../state/derive.ts";
import { openRecording, refusalOf } from "../state/opening.ts";
import { refuse, say, useLab } from "../state/store.ts";
import type { Answer, ApiFailure } from "../http.ts";
import { createApi, type Api, type Session } from "./api.ts";
import { changesBetween, keepMine, within } from "./merge.ts";

/** An editor sends what it does and where it looks; a follower watches. */
export type Role = "editor" | "follower";

export interface Live {
  readonly id: string;
  readonly role: Role;
  readonly state: "opening" | "live" | "interrupted" | "gone" | "refused";
  /** Whether a follower's screen moves with the presenter's. */
  readonly isAttached: boolean;
}

export const useLive = create<{ readonly live: Live | null }>()(() => ({ live: null }));

const changeSchema = z.object({ revision: z.int(), change: z.unknown(), client: z.string().nullish() });
const momentSchema = z.object({
  moment: z.object({ branch: z.string(), cursor: z.int().min(0) }),
  client: z.string().nullish(),
});

type News =
  | { readonly kind: "change"; readonly revision: number; readonly change: unknown }
  | { readonly kind: "moment"; readonly moment: Moment }
  /** What is known here may have gaps: load the whole session again. */
  | { readonly kind: "reload" };

interface Page extends Pick<Window, "document" | "fetch" | "setTimeout" | "clearTimeout"> {
  readonly EventSource: typeof EventSource;
  readonly crypto: Pick<Crypto, "randomUUID">;
}

export interface Connection {
  /** A follower that went its own way moves with the presenter again. */
  attach(): void;
  close(): void;
}

/** How often a moving cursor is told at most. */
const MOMENT_MS = 150;
/** How long to wait before a broken connection is tried again. */
const RETRY_MS = 2000;

export function connect(page: Page, id: string, role: Role): Connection {
  const api: Api = createApi(page);
  const client = page.crypto.randomUUID();
  let live: Live = { id, role, state: "opening", isAttached: true };
  /** What the server has, and its revision. */
  let base: Recording | null = null;
  let revision = 0;
  let presented: Moment | null = null;
  let stream: EventSource | null = null;
  let queue: readonly News[] = [];
  let isBusy = false;
  let isClosed = false;
  let isOurs = false;
  let momentTimer = 0;
  let retryTimer = 0;
  let retryMomentTimer = 0;
  let sent: Moment | null = null;

  const tell = (change: Partial<Live>): void => {
    if (isClosed) return;
    live = { ...live, ...change };
    useLive.setState({ live });
  };
  /** Changes the store without taking it for an act of the user. */
  const put = (change: () => void): void => {
    isOurs = true;
    change();
    isOurs = false;
  };

  tell({});
  void open();
  const unsubscribe = useLab.subscribe((now, before) => {
    if (isOurs || live.state === "opening" || live.state === "refused") return;
    if (role === "follower") {
      if (now.recording !== before.recording || now.moment !== before.moment) tell({ isAttached: false });
      return;
    }
    if (now.recording !== before.recording) void work();
    if (now.moment !== before.moment) tellMoment();
  });

  /** Loads the session and shows it; from there on the stream tells what changes. */
  async function open(): Promise<void> {
    const read = await readSession(api, id);
    if (isClosed) return;
    if (!read.ok) return failOpening(read);
    const { session, recording } = read.value;
    let isShown = false;
    put(() => {
      isShown = openRecording(recording, session.moment, "This session");
    });
    if (!isShown) return tell({ state: "refused" });
    base = recording;
    revision = session.revision;
    presented = session.moment;
    sent = useLab.getState().moment;
    tell({ state: "live" });
    listen();
  }

  function failOpening({ status, detail, problems }: ApiFailure): void {
    if (status === 0 || status >= 500) {
      tell({ state: "interrupted" });
      retryTimer = page.setTimeout(() => void open(), RETRY_MS);
      return;
    }
    tell({ state: "refused" });
    refuse({
      what: "This session",
      problems:
        problems.length > 0
          ? problems
          : [{ path: "", expected: "a session of this lab", got: "none", remedy: detail }],
      replay: null,
      salvage: null,
    });
  }

  function listen(): void {
    stream?.close();
    const source = new page.EventSource(`/api/sessions/${encodeURIComponent(id)}/events?after=${revision}`);
    stream = source;
    const on = (name: string, take: (data: unknown) => void): void =>
      source.addEventListener(name, (event: MessageEvent<string>) => take(JSON.parse(event.data)));
    source.addEventListener("open", () => {
      tell({ state: "live" });
      void work();
    });
    source.addEventListener("error", () => {
      tell({ state: "interrupted" });
      // The browser itself reconnects unless the server refused the stream; then it is asked again from the start.
      if (source.readyState === source.CLOSED && !isClosed)
        retryTimer = page.setTimeout(() => hear({ kind: "reload" }), RETRY_MS);
    });
    // A snapshot comes when what was missed is no longer kept.
    on("snapshot", () => hear({ kind: "reload" }));
    on("change", (data) => {
      const news = changeSchema.safeParse(data);
      hear(
        news.success
          ? { kind: "change", revision: news.data.revision, change: news.data.change }
          : { kind: "reload" },
      );
    });
    on("moment", (data) => {
      const news = momentSchema.safeParse(data);
      if (news.success && news.data.client !== client) hear({ kind: "moment", moment: news.data.moment });
    });
    on("deleted", () => {
      source.close();
      tell({ state: "gone" });
    });
  }

  function hear(news: News): void {
    queue = [...queue, news];
    void work();
  }

  /** One thing after another: what others did, then what was done here. Never two requests at a time. */
  async function work(): Promise<void> {
    if (isBusy || isClosed || base === null) return;
    isBusy = true;
    try {
      while (!isClosed) {
        const [news, ...rest] = queue;
        if (news !== undefined) {
          queue = rest;
          if (!take(news)) await reload();
        } else if (!(await sendNext())) break;
      }
    } finally {
      isBusy = false;
    }
  }

  /** False when the news does not fit what is known: then the whole session is loaded again. */
  function take(news: News): boolean {
    if (base === null || news.kind === "reload") return false;
    if (news.kind === "moment") {
      presented = news.moment;
      if (role === "follower" && live.isAttached) show(base);
      return true;
    }
    if (news.revision <= revision) return true;
    const origin = originOf(base);
    if (news.revision !== revision + 1 || !origin.ok) return false;
    const change = parseChange(news.change, origin.value.system);
    if (!change.ok) return false;
    const changed = applyChange(base, change.value);
    if (!changed.ok) return false;
    return adopt(changed.value, news.revision);
  }

  /** Takes the server's newest and puts what was done here on top of it. */
  function adopt(theirs: Recording, newest: number): boolean {
    if (base === null) return false;
    const old = base;
    if (refusalOf(theirs, "") !== null) return false;
    base = theirs;
    revision = newest;
    if (role === "follower") {
      if (live.isAttached) show(theirs);
      return true;
    }
    const { recording, moment } = useLab.getState();
    const merged = keepMine(old, recording, theirs, moment);
    put(() => useLab.setState({ recording: merged.recording, moment: merged.moment, undoable: [] }));
    if (merged.kept.length > 0)
      say(
        "info",
        `Somebody else changed this session first. Theirs is loaded; what you did is kept as ${merged.kept.map((name) => `“${name}”`).join(", ")}.`,
      );
    return true;
  }

  function show(recording: Recording): void {
    const moment = within(recording, presented ?? useLab.getState().moment);
    put(() => useLab.setState({ recording, moment, selected: null, asking: null, playing: false }));
  }

  /** Sends one change. False when there is nothing to send, or sending must wait. */
  async function sendNext(): Promise<boolean> {
    if (role !== "editor" || base === null) return false;
    const { recording, moment } = useLab.getState();
    if (recording === base) return false;
    const [change] = changesBetween(base, recording);
    if (change === undefined) return false;
    const answer = await api.change(id, { revision, change, moment: within(base, moment), client });
    if (answer.ok) {
      const changed = applyChange(base, change);
      if (!changed.ok) return (await reload(), true);
      base = changed.value;
      revision = answer.value.revision;
      tell({ state: "live" });
      // The cursor may stand on what has just arrived.
      tellMoment();
      return true;
    }
    if (answer.status === 409) return (await reload(), true);
    if (answer.status === 0 || answer.status === 429 || answer.status >= 500) {
      tell({ state: "interrupted" });
      retryTimer = page.setTimeout(() => void work(), RETRY_MS);
      return false;
    }
    // The server refuses the change itself: what it has is what counts.
    say(
      "error",
      `The session does not take this: ${answer.problems.map(sentence).join(" ") || answer.detail}`,
    );
    const theirs = base;
    put(() => useLab.setState({ recording: theirs, moment: within(theirs, moment) }));
    return false;
  }

  /** Loads the newest and merges. */
  async function reload(): Promise<void> {
    const read = await readSession(api, id);
    if (isClosed) return;
    if (!read.ok) {
      if (read.status === 404) return tell({ state: "gone" });
      tell({ state: "interrupted" });
      retryTimer = page.setTimeout(() => hear({ kind: "reload" }), RETRY_MS);
      return;
    }
    const { session, recording } = read.value;
    presented = session.moment ?? presented;
    queue = queue.filter((news) => news.kind !== "change" || news.revision > session.revision);
    if (!adopt(recording, session.revision)) return tell({ state: "refused" });
    tell({ state: "live" });
    if (stream === null || stream.readyState === stream.CLOSED) listen();
  }

  function tellMoment(): void {
    if (role !== "editor" || momentTimer !== 0) return;
    momentTimer = page.setTimeout(() => {
      momentTimer = 0;
      const { moment } = useLab.getState();
      // A cursor on a change that the server does not have yet is told once it has it.
      if (isClosed || base === null || moment === sent) return;
      const there = within(base, moment);
      if (there.cursor !== moment.cursor || there.branch !== moment.branch) return;
      sent = moment;
      void api.moment(id, moment, client).then((answer) => {
        // What did not arrive is told again; followers would stand on the old line for ever.
        if (answer.ok || sent !== moment) return;
        sent = null;
        if (answer.status === 0 || answer.status === 429 || answer.status >= 500)
          retryMomentTimer = page.setTimeout(tellMoment, RETRY_MS);
      });
    }, MOMENT_MS);
  }

  return {
    attach() {
      tell({ isAttached: true });
      if (base !== null) show(base);
    },
    close() {
      isClosed = true;
      stream?.close();
      unsubscribe();
      page.clearTimeout(momentTimer);
      page.clearTimeout(retryTimer);
      page.clearTimeout(retryMomentTimer);
      useLive.setState({ live: null });
    },
  };
}

async function readSession(
  api: Api,
  id: string,
): Promise<Answer<{ readonly session: Session; readonly recording: Recording }>> {
  const answer = await api.read(id);
  if (!answer.ok) return answer;
  const recording = parseRecording(answer.value.recording, resolveOrigin);
  return recording.ok
    ? { ok: true, value: { session: answer.value, recording: recording.value } }
    : {
        ok: false,
        status: 422,
        type: "unreadable",
        detail: "This session holds a recording that this page cannot read.",
        problems: recording.error,
      };
}
