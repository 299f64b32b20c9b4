// Pages through Vite while developing: sources as they are, hot reload over a socket on the lab's own port.
import { readFile } from "node:fs/promises";
import type { Server } from "node:http";
import { join } from "node:path";
import type { RequestHandler } from "express";
import type { PageSource } from "./http/pages.ts";
import { mayUpgrade } from "./security.ts";

export interface DevPages {
  readonly pages: PageSource;
  close(): Promise<void>;
}

export async function startVite(root: string, server: Server): Promise<DevPages> {
  const { createServer } = await import("vite");
  const vite = await createServer({
    configFile: join(root, "vite.config.ts"),
    root: join(root, "web"),
    appType: "custom",
    server: { middlewareMode: true, hmr: { server }, cors: false },
  });
  // Vite checks a token of its own on this socket; that it is the lab's page that asks is checked like everywhere else.
  server.prependListener("upgrade", (request, socket) => {
    if (!mayUpgrade(request)) socket.destroy();
  });
  return {
    pages: {
      files: vite.middlewares as RequestHandler,
      async html(path) {
        const page = await readFile(join(vite.config.root, "index.html"), "utf8");
        return vite.transformIndexHtml(path, page);
      },
    },
    close: () => vite.close(),
  };
}
