// Environment and login → App, for a request or a cron run.
import { connect, type Database, forBatch } from "#db/connect.server";
import { memoiseByKey } from "~/domain/memoise";
import { type Instant, instant } from "~/domain/time";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { runJobs } from "~/use-cases/deliveries.server";
import { createLookup, hashToken } from "~/use-cases/logins.server";
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
  /** D1 bookmark of the last write, for read-your-writes. */
  bookmark?: string | undefined;
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

/** The lookup of a login's user, as a statement that a batch takes along. */
export type Lookup = { statement: D1PreparedStatement; userOf(result: D1Result): CurrentUser | null };

/** A request whose user is not known yet. */
export type OpenedRequest = {
  /** null without a login cookie. */
  loginHash: string | null;
  /** The user of the login cookie, or null. */
  findUser(): Promise<CurrentUser | null>;
  /** Does the same within a batch; the request has a login cookie. */
  lookup(): Lookup;
  /** Every App of a request has the same time and the same D1 session. */
  appOf(user: CurrentUser | null): App;
  bookmark(): string | null;
};

export async function openRequest(env: Env, asking: Asking): Promise<OpenedRequest> {
  const session = env.DB.withSession(
    asking.bookmark ?? (asking.loginToken ? "first-primary" : "first-unconstrained"),
  );
  const db = connect(session);
  const now = asking.now ?? instant(Date.now());
  const loginHash = asking.loginToken ? await hashToken(asking.loginToken) : null;
  const lookup = () => createLookup(db, loginHash ?? "", now, asking.defer);
  return {
    loginHash,
    async findUser() {
      if (loginHash === null) return null;
      const { statement, userOf } = lookup();
      return userOf(await statement);
    },
    lookup() {
      const { statement, userOf } = lookup();
      const { statement: bound, read } = forBatch(statement);
      return { statement: bound, userOf: (result) => userOf(read(result)) };
    },
    appOf: (user) => createAppOf(env, { ...asking, now }, db, user),
    bookmark: () => session.getBookmark(),
  };
}

/** The App has a user only when `asking` has the token of a valid login. */
export async function createApp(env: Env, asking: Asking): Promise<CreatedApp> {
  const request = await openRequest(env, asking);
  return { app: request.appOf(await request.findUser()), bookmark: request.bookmark };
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
