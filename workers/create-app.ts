// Creates the App of a request or a cron run, from the environment and the login.
import { connect, type Database } from "#db/connect.server";
import { isDemoEmail } from "~/domain/accounts/demo";
import { loadOnce } from "~/domain/load-once";
import { type Instant, instant } from "~/domain/time";
import { findUserByKey } from "~/use-cases/accounts/api-keys.server";
import { findUserByToken } from "~/use-cases/accounts/logins.server";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { endOverdueTimers } from "~/use-cases/goals/log-ends.server";
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
import { isLocal } from "./own-machine";
import { settingsOf } from "./settings";

const loadDeliveries = loadOnce(() => import("~/use-cases/deliveries.server"));

/** The parts of a request, or of a cron run, from which its App is made. */
export type AppOptions = {
  now?: Instant;
  loginToken?: string | undefined;
  /** A personal key, in place of a login (O-05). */
  key?: string | undefined;
  deviceToken?: string | undefined;
  xsrfToken?: string | undefined;
  /** `first-unconstrained`, or the bookmark of a write. Without it the primary database answers. */
  readsFrom?: string | undefined;
  origin?: App["origin"];
  ownOrigin?: string;
  /** True when a proxy passed the request on, so that it is no request of a local run. */
  isForwarded?: boolean;
  theme?: App["theme"];
  timeZone?: string | undefined;
  locale?: string;
  defer(work: Promise<unknown>): void;
};

export type CreatedApp = { app: App; bookmark(): string | null };

/** The limit of a deployment that does not set MAIL_DAILY_LIMIT. */
const DEFAULT_DAILY_MAILS = 1000;

/**
 * The App has a user only when `options` has the token of a valid login, or a valid key. All its reads share a D1
 * session, which sees its own writes.
 */
export async function createApp(env: Env, options: AppOptions): Promise<CreatedApp> {
  const session = env.DB.withSession(options.readsFrom ?? "first-primary");
  const db = connect(session);
  const now = options.now ?? instant(Date.now());
  const { loginToken, key, defer } = options;
  const keyOwner = key === undefined ? null : await findUserByKey(db, key, now, defer);
  const user = keyOwner?.user ?? (loginToken ? await findUserByToken(db, loginToken, now, defer) : null);
  const app = createAppOf(env, { ...options, now }, db, user);
  if (user && isDemoEmail(user.email) && !app.settings.isLocalRun) app.user = null;
  if (!app.user && loginToken) app.staleLogin = loginToken;
  if (key !== undefined) app.key = app.user && keyOwner ? keyOwner.key : null;
  // Runs before the request reads anything, so that log, totals, days and streak agree.
  if (app.user?.hasUnstoredTimerEnd) await endOverdueTimers(app, app.user.id);
  return { app, bookmark: () => session.getBookmark() };
}

function createAppOf(
  env: Env,
  options: AppOptions & { now: Instant },
  db: Database,
  user: CurrentUser | null,
): App {
  const { now } = options;
  const settings = settingsOf(env);
  // Cron and the queue have no request, so a local run sets its address in the environment.
  const ownOrigin = options.ownOrigin ?? (env.LOCAL_ORIGIN || undefined);
  const isLocalRun = !options.isForwarded && isLocal(env, ownOrigin);
  const origin = settings.APP_ORIGIN || ownOrigin || "http://127.0.0.1:8787";
  const app: App = {
    db,
    user,
    now,
    settings: {
      appName: settings.APP_NAME,
      perPage: settings.PER_PAGE,
      roomCapacity: settings.ROOM_CAPACITY,
      meetingBase: settings.MEETING_BASE || null,
      dailyMailLimit: settings.MAIL_DAILY_LIMIT ?? (isLocalRun ? null : DEFAULT_DAILY_MAILS),
      origin,
      isLocalRun,
    },
    rooms: createRooms(env),
    payments: createPayments(env, db, now, isLocalRun),
    mail: createMail(env, db),
    push: createPush(env, db, isLocalRun ? origin : null),
    jobs: createJobs(env, async (ids) => (await loadDeliveries()).runJobs(app, ids)),
    uploads: createUploads(env),
    copies: createCopies(env),
    summariser: createSummariser(env),
    richText: createRichText(),
    calendar: createCalendar(env.APP_NAME, env.MAIL_FROM),
    attempts: createAttempts(env, now),
    vault: createVault(env, isLocalRun),
    tickets: createTickets(env, isLocalRun),
    deviceToken: options.deviceToken ?? null,
    xsrfToken: options.xsrfToken,
    origin: options.origin ?? { ip: "", userAgent: "", place: "" },
    theme: options.theme ?? "system",
    // The current browser's zone is the newest; the stored zone serves cron and a browser without the cookie.
    timeZone: options.timeZone ?? user?.timeZone ?? "UTC",
    locale: options.locale ?? "en-GB",
    newId: () => crypto.randomUUID(),
    shownRecords: [],
    defer: options.defer,
    cookies: {},
  };
  return app;
}
