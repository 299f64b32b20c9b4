// A session as server-sent events. EventSource reconnects by itself and says which id it saw last; from there it goes on.
import type { RequestHandler, Response } from "express";
import { unreachable } from "../../shared/base/assert.ts";
import { failure, sendFailure } from "../http/failure.ts";
import type { Limits } from "../limits.ts";
import type { SessionStore } from "./store.ts";
import type { News } from "./watchers.ts";

/** How soon a browser shall reconnect, in ms. */
const RECONNECT_MS = 1000;

export interface Streams {
  readonly handler: RequestHandler<{ id: string }>;
  /** Ends all streams; browsers come back when the server does. */
  close(): void;
}

export function createStreams(store: SessionStore, limits: Limits): Streams {
  const open = new Set<Response>();
  return {
    async handler(request, response) {
      // A reconnecting browser repeats the URL as it was, so what it says it has seen counts for more.
      const given = request.get("Last-Event-ID") ?? request.query["after"];
      const after =
        given === undefined
          ? null
          : typeof given === "string" && /^\d{1,15}$/.test(given)
            ? Number(given)
            : -1;
      if (after === -1) {
        sendFailure(
          response,
          failure("malformed-request", {
            path: "after",
            expected: "a revision: a whole number from 0",
            got: JSON.stringify(given).slice(0, 60),
            remedy: "Leave it out to be given the whole session first.",
          }),
        );
        return;
      }
      // What comes while the answer is being prepared waits here.
      const early: News[] = [];
      let send = (news: News): void => void early.push(news);
      const watch = await store.watch(request.params.id, after, (news) => send(news));
      if (!watch.ok) {
        sendFailure(response, watch.error);
        return;
      }
      const following = watch.value;
      if (request.method === "HEAD" || response.destroyed) {
        following.stop();
        response.type("text/event-stream").end();
        return;
      }
      // Between the end of a stream and its close there is nothing more to say.
      const write = (text: string): void => {
        if (!response.destroyed && !response.writableEnded) response.write(text);
      };
      const heartbeat = setInterval(() => write(": heartbeat\n\n"), limits.heartbeatMs);
      open.add(response);
      response.once("close", () => {
        following.stop();
        clearInterval(heartbeat);
        open.delete(response);
      });
      send = (news) => {
        write(written(news));
        if (news.kind === "deleted") response.end();
        // A watcher that does not read must not fill the memory; when it comes back it resumes by id.
        else if (response.writableLength > limits.watcherBacklogBytes) response.destroy();
      };
      response.set({
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-store",
      });
      response.flushHeaders();
      write(`retry: ${RECONNECT_MS}\n\n`);
      for (const news of [...following.backlog, ...early]) send(news);
    },
    close() {
      for (const response of open) response.end();
    },
  };
}

function written(news: News): string {
  switch (news.kind) {
    case "snapshot": {
      const { kind, revision, ...data } = news;
      return event(kind, { revision, ...data }, revision);
    }
    case "change": {
      const { kind, revision, ...data } = news;
      return event(kind, { revision, ...data }, revision);
    }
    case "moment": {
      const { kind, ...data } = news;
      return event(kind, data);
    }
    case "deleted":
      return event("deleted", {});
    default:
      return unreachable(news);
  }
}

function event(name: string, data: object, id?: number): string {
  const head = id === undefined ? "" : `id: ${id}\n`;
  return `${head}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
