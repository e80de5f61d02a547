// Environment and login → App, for a request or a cron run.
import { connect, type Database } from "#db/connect.server";
import { memoiseByKey } from "~/domain/memoise";
import { type Instant, instant } from "~/domain/time";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { runJobs } from "~/use-cases/deliveries.server";
import { findUserByToken } from "~/use-cases/logins.server";
import { createAttempts } from "./adapters/attempts";
import { createCalendar } from "./adapters/calendar";
import { createCopies } from "./adapters/copies";
import { createJobs } from "./adapters/jobs";
import { createMail } from "./adapters/mail";
import { createPayments } from "./adapters/payments";
import { createPush } from "./adapters/push";
import { createRichText } from "./adapters/rich-text";
import { createRooms } from "./adapters/rooms";
import { createSummariser } from "./adapters/summariser";
import { createTickets } from "./adapters/tickets";
import { createUploads } from "./adapters/uploads";
import { createVault } from "./adapters/vault";
import type { Env } from "./env";

export type Asking = {
  now?: Instant;
  loginToken?: string | undefined;
  deviceToken?: string | undefined;
  /** `first-unconstrained` or the bookmark of a write; without it the primary answers. */
  readsFrom?: string | undefined;
  origin?: App["origin"];
  ownOrigin?: string;
  theme?: App["theme"];
  timeZone?: string | undefined;
  locale?: string;
  defer(work: Promise<unknown>): void;
};

export type CreatedApp = { app: App; bookmark(): string | null };

/** Without MAIL_DAILY_LIMIT. */
const MAILS_A_DAY = 1000;

/** A worker deployed with local settings answers at a public host, and therefore is no local run. */
const isLoopback = memoiseByKey((origin) => {
  const { hostname } = new URL(origin);
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
});

/** Whether this is a run on the own machine, for a request to this origin. */
export const isLocal = (env: Env, ownOrigin: string | undefined): boolean =>
  env.LOCAL_RUN === "yes" && isLoopback(ownOrigin ?? "http://unknown.invalid");

/**
 * The App has a user only when `asking` has the token of a valid login. All its reads are of one D1 session, which sees
 * its own writes.
 */
export async function createApp(env: Env, asking: Asking): Promise<CreatedApp> {
  const session = env.DB.withSession(asking.readsFrom ?? "first-primary");
  const db = connect(session);
  const now = asking.now ?? instant(Date.now());
  const { loginToken, defer } = asking;
  const user = loginToken ? await findUserByToken(db, loginToken, now, defer) : null;
  return { app: createAppOf(env, { ...asking, now }, db, user), bookmark: () => session.getBookmark() };
}

function createAppOf(
  env: Env,
  asking: Asking & { now: Instant },
  db: Database,
  user: CurrentUser | null,
): App {
  const { now } = asking;
  // Cron and the queue have no request; a local run tells them its address.
  const ownOrigin = asking.ownOrigin ?? (env.LOCAL_ORIGIN || undefined);
  const isLocalRun = isLocal(env, ownOrigin);
  const origin = env.APP_ORIGIN || ownOrigin || "http://127.0.0.1:8787";
  const app: App = {
    db,
    user,
    now,
    settings: {
      appName: env.APP_NAME,
      perPage: Number(env.PER_PAGE),
      roomCapacity: Number(env.ROOM_CAPACITY),
      mailsADay: Number(env.MAIL_DAILY_LIMIT) || (isLocalRun ? null : MAILS_A_DAY),
      origin,
      isLocalRun,
    },
    rooms: createRooms(env),
    payments: createPayments(env, db, now),
    mail: createMail(env, db),
    push: createPush(env, db, isLocalRun ? origin : null),
    jobs: createJobs(env, (ids) => runJobs(app, ids)),
    uploads: createUploads(env),
    copies: createCopies(env),
    summariser: createSummariser(env),
    richText: createRichText(),
    calendar: createCalendar(env.APP_NAME, env.MAIL_FROM),
    attempts: createAttempts(env, now),
    vault: createVault(env, isLocalRun),
    tickets: createTickets(env, isLocalRun),
    deviceToken: asking.deviceToken ?? null,
    origin: asking.origin ?? { ip: "", userAgent: "", place: "" },
    theme: asking.theme ?? "system",
    // The current browser's zone is the newest; the stored zone serves cron and a browser without the cookie.
    timeZone: asking.timeZone ?? user?.timeZone ?? "UTC",
    locale: asking.locale ?? "en-GB",
    newId: () => crypto.randomUUID(),
    defer: asking.defer,
    cookies: {},
  };
  return app;
}
