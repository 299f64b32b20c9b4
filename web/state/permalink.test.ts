import { beforeEach, describe, expect, it } from "vitest";
import type { BaseAction } from "../../shared/systems/system.ts";
import { keepUrl, openUrl, urlOf } from "./permalink.ts";
import { act, forkHere, freshRecording, initialChoice, openScenario, show, step, useLab } from "./store.ts";

beforeEach(() => useLab.setState(initialChoice(), true));

const split = (url: string) => {
  const { search, hash } = new URL(url, "http://lab.test");
  return { search, hash };
};
const shown = () => {
  const { recording, moment, view, comparedWith, presenter } = useLab.getState();
  return { recording, moment, view, comparedWith, presenter };
};

interface Row {
  readonly why: string;
  readonly make: () => void;
  readonly url: RegExp;
}

const rows: readonly Row[] = [
  { why: "a scenario as it opens", make: () => openScenario("fast-clock"), url: /^\/\?s=fast-clock$/ },
  { why: "a scenario at a moment", make: () => void step(), url: /^\/\?s=paused-leader&at=1$/ },
  {
    why: "the table",
    make: () => useLab.setState({ view: "table" }),
    url: /^\/\?s=paused-leader&view=table$/,
  },
  {
    why: "presenter mode",
    make: () => useLab.setState({ presenter: true }),
    url: /^\/\?s=paused-leader&presenter$/,
  },
  {
    why: "a fork with a fault",
    make: () => {
      step();
      act([{ kind: "pause", node: "a" } as BaseAction], "pause a");
    },
    url: /^\/#p=[\w-]+$/,
  },
  {
    why: "a comparison",
    make: () => {
      step();
      forkHere();
      useLab.setState({ comparedWith: "main" });
    },
    url: /^\/#p=[\w-]+&with=main$/,
  },
  {
    why: "a configuration of one's own",
    make: () =>
      show(
        freshRecording({
          kind: "config",
          system: "leadership",
          title: "Mine",
          config: { nodes: [{ id: "solo" }] },
        }),
        null,
      ),
    url: /^\/#p=[\w-]+$/,
  },
];

describe("what is shown and its URL", () => {
  for (const { why, make, url } of rows)
    it(`agree: ${why}`, () => {
      make();
      const written = urlOf(useLab.getState());
      expect(written).toMatch(url);
      const before = shown();
      useLab.setState(initialChoice(), true);
      expect(openUrl(split(written ?? ""))).toBe(true);
      expect(shown()).toEqual(before);
      expect(useLab.getState().refusal).toBeNull();
    });

  it("a URL that says nothing changes nothing", () => {
    step();
    const before = shown();
    expect(openUrl({ search: "", hash: "" })).toBe(false);
    expect(shown()).toEqual(before);
  });

  it("a recording too long for a link has none", () => {
    const { recording } = useLab.getState();
    let state = 1;
    const branches = Array.from({ length: 200 }, (_, index) => ({
      id: `b${index + 1}`,
      // Names that do not compress.
      name: Array.from({ length: 80 }, () => {
        state = (state * 48_271) % 2_147_483_647;
        return String.fromCodePoint(0x4e00 + (state % 20_000));
      }).join(""),
      parent: "main",
      forkAt: index % 50,
      actions: [],
    }));
    const long = { ...recording, branches: [...recording.branches, ...branches] };
    expect(urlOf({ ...useLab.getState(), recording: long }) === null).toBe(true);
  });
});

/** A page with a history and a clock of its own. */
function fakePage(path: string) {
  const url = new URL(path, "http://lab.test");
  const entries = [url.href];
  const listeners = new Map<string, Set<() => void>>();
  const timers = new Map<number, () => void>();
  let next = 1;
  const page = {
    location: { pathname: url.pathname, search: url.search, hash: url.hash },
    history: {
      state: null,
      pushState: (_: unknown, __: string, to: string) => move(to, true),
      replaceState: (_: unknown, __: string, to: string) => move(to, false),
    },
    addEventListener: (type: string, listener: () => void) =>
      void (listeners.get(type) ?? listeners.set(type, new Set()).get(type))?.add(listener),
    removeEventListener: (type: string, listener: () => void) => void listeners.get(type)?.delete(listener),
    setTimeout: (callback: () => void) => {
      timers.set(next, callback);
      next += 1;
      return next - 1;
    },
    clearTimeout: (timer: number) => void timers.delete(timer),
  };
  function move(to: string, isNew: boolean): void {
    const { pathname, search, hash, href } = new URL(to, "http://lab.test");
    page.location = { pathname, search, hash };
    if (isNew) entries.push(href);
    else entries[entries.length - 1] = href;
  }
  return {
    page: page as unknown as Parameters<typeof keepUrl>[0],
    entries,
    rest: () => {
      for (const callback of timers.values()) callback();
      timers.clear();
    },
    back: () => {
      entries.pop();
      move(entries.at(-1) ?? "/", false);
      for (const listener of listeners.get("popstate") ?? []) listener();
    },
    last: () => (entries.at(-1) ?? "").replace("http://lab.test", ""),
  };
}

describe("keeping the URL", () => {
  it("a resting cursor replaces the entry, a moving one waits", () => {
    const { page, entries, rest, last } = fakePage("/");
    const stop = keepUrl(page);
    expect(last()).toBe("/?s=paused-leader");
    step();
    step();
    expect(last()).toBe("/?s=paused-leader");
    rest();
    expect(last()).toMatch(/at=\d+$/);
    expect(entries).toHaveLength(1);
    stop();
  });

  it("a branch is an entry of its own, and going back leaves it", () => {
    const { page, entries, rest, back } = fakePage("/?s=paused-leader&at=12");
    const stop = keepUrl(page);
    act([{ kind: "pause", node: "a" } as BaseAction], "pause a");
    expect(entries).toHaveLength(2);
    rest();
    back();
    expect(useLab.getState().moment).toEqual({ branch: "main", cursor: 12 });
    expect(useLab.getState().recording.branches).toHaveLength(1);
    stop();
  });

  it("coming back to what is shown already keeps what can be undone", () => {
    const first = fakePage("/?s=paused-leader&at=12");
    const stop = keepUrl(first.page);
    forkHere();
    first.rest();
    const url = first.last();
    stop();
    const again = keepUrl(fakePage(url).page);
    expect(useLab.getState().undoable).toHaveLength(1);
    again();
  });
});
