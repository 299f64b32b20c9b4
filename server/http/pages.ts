// The web part: files as they were built, or through Vite while developing. Every page carries the token of this start.
import { readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import express, { Router, type RequestHandler } from "express";
import { failed, ok, type Problem, type Result } from "../../shared/base/result.ts";
import { isCode } from "../session/lock.ts";
import { onlyMethods } from "./routing.ts";

/** Where pages come from. */
export interface PageSource {
  /** Serves everything but pages. */
  readonly files: RequestHandler;
  /** The HTML of the one page, for a path of it. */
  html(path: string): Promise<string>;
}

/** The folder that `vite build` wrote. Fails when it is not there. */
export async function builtPages(folder: string): Promise<Result<PageSource, Problem>> {
  const page = join(folder, "index.html");
  try {
    await readFile(page);
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
    return failed({
      path: "web",
      expected: `the built page at ${page}`,
      got: "nothing there",
      remedy: "Run npm run build first, or start with npm run dev.",
    });
  }
  const assets = join(folder, "assets") + sep;
  return ok({
    files: express.static(folder, {
      index: false,
      redirect: false,
      dotfiles: "ignore",
      setHeaders(response, path) {
        // Names of assets hold a hash of what is in them; other files may change under the same name.
        response.setHeader(
          "Cache-Control",
          path.startsWith(assets) ? "public, max-age=31536000, immutable" : "no-cache",
        );
      },
    }),
    html: () => readFile(page, "utf8"),
  });
}

/** A path that the page itself may mean something by: plain words, and no ending that a file would have. */
const PAGE_PATH = /^\/(?:[\w~-]+(?:\/[\w~-]+)*\/?)?$/;

export function pageRoutes(source: PageSource, token: string): Router {
  const router = Router();
  const page: RequestHandler = async (request, response, next) => {
    const isNavigation =
      (request.headers["sec-fetch-mode"] ?? "navigate") === "navigate" && request.accepts("html") === "html";
    const isPage = request.path === "/" || request.path === "/index.html";
    if (!isPage && !(PAGE_PATH.test(request.path) && isNavigation)) {
      next();
      return;
    }
    const html = withToken(await source.html(request.originalUrl), token);
    // It holds the token, so it is kept nowhere.
    response.set("Cache-Control", "no-store").type("html").send(html);
  };
  router.get("/", page);
  router.get("/index.html", page);
  router.use(source.files);
  router.get("/{*path}", page);
  router.all("/", onlyMethods("GET", "HEAD"));
  return router;
}

function withToken(html: string, token: string): string {
  const element = `<meta name="epoch-lab-token" content="${token}">`;
  const at = html.search(/<\/head>/i);
  return at === -1 ? element + html : `${html.slice(0, at)}${element}${html.slice(at)}`;
}
