// The worker of the workerd tests: the whole app.
import { AttemptCounter as Counter } from "#workers/attempts/attempt-counter";
import type { Env } from "#workers/env";
import { createHttp } from "#workers/http";
import { pages } from "./pages";
// The server loads these on first use. Two requests would share that import, and workerd settles no promise of one
// request in another.
import "@block65/webcrypto-web-push";
import "@simplewebauthn/server";
import "ical-generator";
import "otpauth";
import "uqr";
import "#db/seed/demo";
import "#workers/adapters/markdown";
import "#workers/adapters/practice-payments";
import "#workers/adapters/smtp";
import "#workers/adapters/stripe-payments";
import "#workers/api";
import "~/use-cases/accounts/common-passwords.server";
import "~/use-cases/series-dates.server";
import "~/use-cases/library.server";
import "~/use-cases/sessions/calendar.server";
import "~/wire/unknown-fields";
import "#db/seed/library";

/** Ids of the counters that the test file has used so far. */
export const usedCounters: string[] = [];
/** The highest session id of all files so far; a new demo gives its sessions lower ones. */
export const sessionIds = { last: 1000 };
export class AttemptCounter extends Counter {
  constructor(...args: ConstructorParameters<typeof Counter>) {
    super(...args);
    usedCounters.push(String(this.ctx.id));
  }
}
export { SessionRoom } from "#workers/room/session-room";

const http = createHttp(pages);
/** The bindings of a test file that replaces some (as-deployed.ts); null for the run's own. */
export const bindings: { ofFile: Env | null } = { ofFile: null };
// Tests run the consumer themselves, so that no work of one test runs during another.
export default {
  fetch: (request, env, context) => http.fetch(request, bindings.ofFile ?? env, context),
  queue: (batch) => batch.ackAll(),
} satisfies ExportedHandler<Env, string[]>;
