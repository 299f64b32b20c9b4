// Who follows which session: they are told in order, and counted.
import { failed, ok, type Result } from "../../shared/base/result.ts";
import type { Change } from "../../shared/trace/change.ts";
import type { Moment, Recording } from "../../shared/trace/recording.ts";
import type { Failure } from "../http/failure.ts";
import type { Limits } from "../limits.ts";
import { tooManyWatchers } from "./refusals.ts";

/** What a watcher of a session is told. */
export type News =
  | {
      readonly kind: "snapshot";
      readonly revision: number;
      readonly recording: Recording;
      readonly title: string;
    }
  | {
      readonly kind: "change";
      readonly revision: number;
      readonly change: Change;
      readonly client: string | null;
    }
  | { readonly kind: "moment"; readonly moment: Moment; readonly client: string | null }
  | { readonly kind: "deleted" };

export type Listener = (news: News) => void;

export interface Watchers {
  readonly count: number;
  has(id: string): boolean;
  /** Gives what stops it; may be called more than once. */
  add(id: string, listener: Listener): Result<() => void, Failure>;
  tell(id: string, news: News): void;
}

export function createWatchers(limits: Limits): Watchers {
  const listeners = new Map<string, Set<Listener>>();
  let count = 0;
  return {
    get count() {
      return count;
    },
    has: (id) => listeners.has(id),
    add(id, listener) {
      const own = listeners.get(id) ?? new Set();
      const busy = tooManyWatchers(limits, own.size, count);
      if (busy !== null) return failed(busy);
      listeners.set(id, own.add(listener));
      count += 1;
      return ok(() => {
        if (!own.delete(listener)) return;
        count -= 1;
        if (own.size === 0 && listeners.get(id) === own) listeners.delete(id);
      });
    },
    tell(id, news) {
      for (const listener of listeners.get(id) ?? []) listener(news);
    },
  };
}
