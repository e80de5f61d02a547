// The text of a log line: JSON with the release that wrote it, so that a rollback shows in the log.
import { maskKeys } from "~/domain/accounts/api-keys";

/** The build writes it (workers/local/release.mjs). */
declare const __RELEASE__: string | undefined;

/** Such as `0.2.0+1a2b3c4`: the version, and the commit that was deployed. `dev` outside a build. */
export const RELEASE: string = typeof __RELEASE__ === "undefined" ? "dev" : __RELEASE__;

/** Drizzle names a query's parameters in its errors, between the query and the stack. They are what people wrote. */
const PARAMETERS = /\nparams: [\s\S]*?(?=\n {4}at [^\n]+:\d+:\d+|$)/g;
const withoutParameters = (value: unknown): unknown =>
  typeof value === "string" ? value.replace(PARAMETERS, "") : value;

/** The line as JSON, without personal keys and without the parameters of a failed query (ASVS 16.2.5). */
export const logLine = (line: object, replace?: (key: string, value: unknown) => unknown): string =>
  maskKeys(
    JSON.stringify({ ...line, release: RELEASE }, (key, value) =>
      withoutParameters(replace ? replace(key, value) : value),
    ),
  );
