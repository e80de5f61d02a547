// The text of a log line: JSON with the release that wrote it, so that a rollback shows in the log.
import { maskKeys } from "~/domain/accounts/api-keys";

/** The build writes it (workers/local/release.mjs). */
declare const __RELEASE__: string | undefined;

/** Such as `0.2.0+1a2b3c4`: the version, and the commit that was deployed. `dev` outside a build. */
export const RELEASE: string = typeof __RELEASE__ === "undefined" ? "dev" : __RELEASE__;

export const logLine = (line: object, replace?: (key: string, value: unknown) => unknown): string =>
  maskKeys(JSON.stringify({ ...line, release: RELEASE }, replace));
