// What all routes share: an answer to a method that they do not have, and how often they may be asked.
import type { RequestHandler } from "express";
import { rateLimit } from "express-rate-limit";
import type { Limits } from "../limits.ts";
import { failure, sendFailure } from "./failure.ts";

export function onlyMethods(...methods: readonly string[]): RequestHandler {
  return (request, response) => {
    sendFailure(
      response,
      failure(
        "method-not-allowed",
        {
          path: "method",
          expected: methods.join(" or "),
          got: request.method,
          remedy: "Use a method that this path has.",
        },
        { headers: { Allow: methods.join(", ") } },
      ),
    );
  };
}

export interface Rates {
  readonly reads: RequestHandler;
  readonly changes: RequestHandler;
  readonly moments: RequestHandler;
}

export function createRates({ rateWindowMs, reads, changes, moments }: Limits): Rates {
  const rate = (limit: number, what: string): RequestHandler =>
    rateLimit({
      windowMs: rateWindowMs,
      limit,
      standardHeaders: "draft-8",
      identifier: what,
      legacyHeaders: false,
      // All clients are this machine.
      keyGenerator: () => "loopback",
      handler(_request, response) {
        sendFailure(
          response,
          failure("too-many-requests", {
            expected: `at most ${limit} ${what} in ${rateWindowMs / 1000} s`,
            got: "more",
            remedy: "Wait as long as Retry-After says, and send several actions in one change.",
          }),
        );
      },
    });
  return {
    reads: rate(reads, "reads"),
    changes: rate(changes, "changes"),
    moments: rate(moments, "moments"),
  };
}
