// The one way in for a body: JSON in UTF-8, bounded in size and depth, with the place of an error in the answer.
import express, { type RequestHandler } from "express";
import { parseJson } from "../../shared/base/json.ts";
import type { Limits } from "../limits.ts";
import { failure, invalid, sendFailure } from "./failure.ts";

const MEDIA_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

export function jsonBody(limits: Limits): readonly RequestHandler[] {
  return [
    // A page of another origin can send a form or plain text without asking the browser first, but not JSON.
    (request, response, next) => {
      const type = request.headers["content-type"];
      if (type !== undefined && MEDIA_TYPE.test(type)) next();
      else
        sendFailure(
          response,
          failure("unsupported-media-type", {
            path: "Content-Type",
            expected: "application/json",
            got: type === undefined ? "none" : JSON.stringify(type.slice(0, 100)),
            remedy: "Send JSON and say so in the header.",
          }),
        );
    },
    express.text({ type: () => true, limit: limits.bodyBytes, inflate: false, defaultCharset: "utf-8" }),
    (request, response, next) => {
      const text: unknown = request.body;
      const parsed = parseJson(typeof text === "string" ? text : "");
      if (parsed.ok) {
        request.body = parsed.value;
        next();
      } else sendFailure(response, invalid([parsed.error], "malformed-json"));
    },
  ];
}
