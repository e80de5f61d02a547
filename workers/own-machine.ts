// Whether a run is local and a request comes from the machine itself. A worker deployed with local settings answers at
// a public host, and one behind a proxy gets the proxy's headers; neither counts as local.
import { memoiseByKey } from "~/domain/memoise";
import type { Env } from "./env";

const isLoopback = memoiseByKey((origin) => {
  const { hostname } = new URL(origin);
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
});

/** A proxy may send any Host, so its other headers decide. The development server names the Host a second time. */
export function isForwarded(request: Request): boolean {
  const { host } = new URL(request.url);
  return [...request.headers].some(
    ([name, value]) =>
      name === "forwarded" ||
      name === "via" ||
      (name.startsWith("x-forwarded-") && !(name === "x-forwarded-host" && value === host)),
  );
}

/** `ownOrigin`: of the request, or of a local run for cron and the queue, which have no request. */
export const isLocal = (env: Pick<Env, "LOCAL_RUN">, ownOrigin: string | undefined): boolean =>
  env.LOCAL_RUN === "yes" && ownOrigin !== undefined && isLoopback(ownOrigin);

/** Whether a request comes from the machine that runs the worker. */
export const isLocalRequest = (env: Pick<Env, "LOCAL_RUN">, request: Request): boolean =>
  isLocal(env, new URL(request.url).origin) && !isForwarded(request);
