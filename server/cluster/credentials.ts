// Credentials of a kubeconfig with patience that ends: a plugin that hangs is waited for once, not once a call, and ended.
import { spawn, type ChildProcess } from "node:child_process";
import type { RequestOptions } from "node:https";
import { NoAnswer } from "./transport.ts";

/** How long an exec plugin may take to print a credential. */
const CREDENTIAL_TIMEOUT_MS = 15_000;

/** The part of the client library's configuration that is used here. */
export interface Credentials {
  applyToHTTPSOptions(options: RequestOptions): Promise<void>;
}

/**
 * Asks for the credentials of a call.
 * @throws NoAnswer `timeout`; what the library throws otherwise, whose text may hold a secret and must not be shown.
 */
export function patientCredentials(
  config: Credentials,
  timeoutMs = CREDENTIAL_TIMEOUT_MS,
): () => Promise<RequestOptions> {
  const plugins = ownPlugins(config);
  let asked: Promise<RequestOptions> | null = null;
  return async () => {
    asked ??= ask(config).finally(() => (asked = null));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        for (const plugin of plugins) plugin.kill("SIGKILL");
        reject(new NoAnswer("timeout", `nothing within ${timeoutMs / 1000} s`));
      }, timeoutMs);
    });
    try {
      return await Promise.race([asked, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

async function ask(config: Credentials): Promise<RequestOptions> {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  return options;
}

/** The plugins that run now. The library spawns them by a function that each of its authenticators holds. */
function ownPlugins(config: Credentials): ReadonlySet<ChildProcess> {
  const running = new Set<ChildProcess>();
  const authenticators: unknown = Reflect.get(config, "authenticators");
  if (!Array.isArray(authenticators)) return running;
  for (const authenticator of authenticators as readonly object[])
    if (Reflect.get(authenticator, "execFn") === spawn)
      Reflect.set(authenticator, "execFn", (...args: Parameters<typeof spawn>) => {
        const plugin = spawn(...args);
        running.add(plugin);
        plugin.once("close", () => running.delete(plugin));
        plugin.once("error", () => running.delete(plugin));
        return plugin;
      });
  return running;
}
