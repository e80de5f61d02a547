// Decides whether a run is local, and whether a request comes from the machine itself. A worker with local settings does
// not count as local at a public host or behind a proxy.
import { memoiseByKey } from "~/domain/memoise";
import type { Env } from "./env";

const isLoopback = memoiseByKey((origin) => {
  const { hostname } = new URL(origin);
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
});

/**
 * True for a request that a proxy has forwarded. A proxy may send any Host, so its other headers decide. The development
 * server repeats the Host in X-Forwarded-Host, which does not count.
 */
export function isForwarded(request: Request): boolean {
  const { host } = new URL(request.url);
  return [...request.headers].some(
    ([name, value]) =>
      name === "forwarded" ||
      name === "via" ||
      (name.startsWith("x-forwarded-") && !(name === "x-forwarded-host" && value === host)),
  );
}

/** Whether the run is local. `ownOrigin` is the origin of the request, or LOCAL_ORIGIN for cron and the queue. */
export const isLocal = (env: Pick<Env, "LOCAL_RUN">, ownOrigin: string | undefined): boolean =>
  env.LOCAL_RUN === "yes" && ownOrigin !== undefined && isLoopback(ownOrigin);

/** Whether a request comes from the machine that runs the worker. */
export const isLocalRequest = (env: Pick<Env, "LOCAL_RUN">, request: Request): boolean =>
  isLocal(env, new URL(request.url).origin) && !isForwarded(request);
