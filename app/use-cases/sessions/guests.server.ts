// Guests join a session through its link and give only a name (H-17 to H-26). The statement that takes the seat also
// makes the guest, and the host's token pays for it in the same batch.
import { runBatch } from "#db/connect.server";
import * as logins from "#db/queries/accounts/logins";
import { recordAct } from "#db/queries/safety/audit";
import type { Browser } from "#db/queries/safety/guest-bans";
import { saveNoGuests } from "#db/queries/sessions/guest-limits";
import * as guests from "#db/queries/sessions/guests";
import * as participants from "#db/queries/sessions/participants";
import type { SessionRow } from "#db/queries/sessions/sessions";
import * as sessions from "#db/queries/sessions/sessions";
import * as tokens from "#db/queries/tokens";
import { AppError, brokenConstraint, invalid } from "~/domain/errors";
import { allow, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { GUEST_SENTENCES } from "~/domain/room/guest-names";
import { GUEST_NAME_SENTENCES, guestNameRefusal, guestUsername, needsSuffix } from "~/domain/room/guests";
import { lookOf } from "~/domain/room/look-alikes";
import { SESSION_SENTENCES } from "~/domain/sessions/limits";
import * as sessionRefusals from "~/domain/sessions/refusals";
import { refuseTemplate } from "~/domain/sessions/sessions";
import { isFull } from "~/domain/sessions/spots";
import { SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { foldLine } from "~/domain/text-lines";
import { signIn } from "~/use-cases/accounts/complete-login.server";
import { newLogin } from "~/use-cases/accounts/logins.server";
import type { App } from "~/use-cases/app.server";
import { rememberKeptOutBrowser } from "~/use-cases/guest-logins.server";
import { networkOf } from "~/use-cases/network.server";
import { notifyInBackground, notifyRoom, refreshRoom } from "~/use-cases/notify-room.server";
import { countAttempts, countUse } from "~/use-cases/rate-limits.server";
import { viewerOf } from "~/use-cases/viewer.server";
import {
  browserOf,
  guestAddresses,
  guestSeats,
  guestTerms,
  requireBrowserLetIn,
  requireGuestSeats,
} from "./guest-seats.server";
import { requireCode } from "./join-code.server";
import { joinSession } from "./people.server";
import {
  actorOf,
  changeRoom,
  mayHost,
  noSession,
  readSession,
  readSessionForEnding,
  sessionPath,
  withHeldSeats,
} from "./read.server";
import { layPlanStatements, updatePlan } from "./roster-plan.server";
import { expel, hasBegun } from "./sanctions.server";
import { passRest, passSeatStatements, SEATS_A_BATCH } from "./waiting.server";

const MAX_ATTEMPTS = 6;

type FoundUser = Awaited<ReturnType<typeof logins.findCurrentUser>>[number];

/**
 * Takes a seat as a guest with a name. A signed-in user joins with their account (H-18). A second press of the browser
 * signs in the guest whom the first has seated, whose answer may have been lost, and keeps the first name.
 */
export async function sitIn(
  app: App,
  input: { session: number; name: string; joinCode?: string | undefined },
): Promise<{ path: string }> {
  const path = sessionPath(input.session);
  if (app.user) {
    await joinSession(app, input);
    return { path };
  }
  await countAttempts(
    app,
    { what: "guest", by: networkOf(app) },
    { what: "guest-session", by: input.session },
  );
  await rememberKeptOutBrowser(app);
  const name = foldLine(input.name);
  const browser = await browserOf(app, input.session);
  const addresses = await guestAddresses(app, browser);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const [[row], [earlier]] = await app.db.batch([
      sessions.findSession(app.db, input.session, viewerOf(app)),
      guests.findGuestAt(app.db, addresses),
    ]);
    if (!row) throw noSession();
    if (earlier?.isSeated) {
      if (await signInAgain(app, earlier)) return { path };
      continue;
    }
    await requireMaySit(app, row, { browser, code: input.joinCode });
    const others = await guests.listNamesIn(app.db, row.id);
    const refusal = guestNameRefusal(
      name,
      others.flatMap(({ username, guestName }) => [username, guestName]).filter(Boolean),
    );
    if (refusal !== null) throw invalid("name", refusal);
    // A guest who has given up the seat since stays apart from the new one.
    const [address = ""] = earlier ? [`${app.newId()}@guest.invalid`] : addresses;
    const seat = `${await guestSeats(address)}${app.newId()}`;
    if (await sitDown(app, row, { name, address, seat, browser, attempt })) {
      notifyRoom(app, row.id);
      return { path };
    }
  }
  throw new AppError("CONFLICT", sessionRefusals.changing);
}

/** A login of the guest whom an earlier press has seated; false if the seat has gone meanwhile. */
async function signInAgain(app: App, { address }: { address: string }): Promise<boolean> {
  const login = await newLogin(app);
  const results = await runBatch(app.db, [
    guests.insertGuestLogin(app.db, address, login.record),
    logins.findCurrentUser(app.db, login.record.tokenHash, app.now),
  ]);
  const [user] = results.at(-1) as FoundUser[];
  if (!user) return false;
  signIn(app, user, login);
  return true;
}

/**
 * Refuses a guest if the session has ended or has no guest seats, for a ban, a full session or a wrong code, in this
 * order.
 */
async function requireMaySit(
  app: App,
  row: SessionRow,
  { browser, code }: { browser: Browser; code: string | undefined },
): Promise<void> {
  refuseTemplate(row);
  if (statusAt(row, app.now) === SESSION_STATUS.ended || row.closedAt !== null)
    throw new AppError("CONFLICT", SESSION_SENTENCES.ended);
  requireGuestSeats(row);
  await requireBrowserLetIn(app, row.id, browser);
  if (isFull(withHeldSeats(row, app.now), app.settings.roomCapacity))
    throw new AppError("SESSION_FULL", SESSION_SENTENCES.full);
  await requireCode(app, row, code);
}

type Sitting = {
  name: string;
  address: string;
  seat: string;
  browser: Awaited<ReturnType<typeof browserOf>>;
  attempt: number;
};

/** Runs the batch; false when the session or somebody's name changed meanwhile. */
async function sitDown(
  app: App,
  row: SessionRow,
  { name, address, seat, browser, attempt }: Sitting,
): Promise<boolean> {
  const hostId = row.hostId ?? 0;
  const plainName = guestUsername(name);
  const suffix = attempt > 0 || needsSuffix(plainName) ? app.newId().slice(0, 4) : null;
  const look = lookOf(name);
  const login = await newLogin(app);
  const { db, now, timeZone, locale } = app;
  const terms = guestTerms(app, row, browser);
  try {
    const results = await runBatch(db, [
      ...guests.insertGuest(
        db,
        {
          address,
          username: guestUsername(name, suffix),
          name,
          look,
          network: browser.network,
          timeZone,
          locale,
        },
        terms,
      ),
      ...guests.takeGuestSeat(db, { address }, { seat, look }, terms),
      ...tokens.spendTokens(db, {
        userId: hostId,
        what: "join",
        reason: "host_join",
        reference: seat,
        now,
        condition: guests.hasSeatNamed({ sessionId: row.id, seat }),
      }),
      guests.insertGuestLogin(db, address, login.record),
      ...layPlanStatements(app, row, row.participantsCount + 1),
      sessions.findSession(db, row.id, viewerOf(app)),
      logins.findCurrentUser(db, login.record.tokenHash, now),
    ]);
    const [[currentRow], [user]] = results.slice(-2) as [SessionRow[], FoundUser[]];
    if (!user || !currentRow) return false;
    signIn(app, user, login);
    await updatePlan(app, currentRow);
    return true;
  } catch (error) {
    const constraint = brokenConstraint(error);
    if (constraint === "tokens_sufficient")
      throw new AppError("INSUFFICIENT_TOKENS", SESSION_SENTENCES.hostOutOfTokens, { lacksTokens: "host" });
    if (constraint === "one_guest_per_name") throw invalid("name", GUEST_NAME_SENTENCES.taken);
    if (constraint === "users_username_unique" || constraint === "persons_username_unique") return false;
    // The other press of this browser was faster.
    if (constraint === "users_email_unique") return false;
    throw error;
  }
}

// ---- the host

/** Gives a guest another name (H-23). By the host. Idempotent. */
export async function renameGuest(
  app: App,
  input: { session: number; username: string; name: string },
): Promise<void> {
  const user = requireUser(app.user);
  await countUse(app, "change-sanction", user.id);
  const row = await readSession(app, input);
  allow(mayHost(app, row), refusals.hostOnly);
  const [[seat], others] = await app.db.batch([
    participants.findSeatByName(app.db, row.id, input.username),
    guests.listNamesIn(app.db, row.id),
  ]);
  if (!seat || seat.guestName === "") throw new AppError("NOT_FOUND", GUEST_SENTENCES.noGuest);
  const name = foldLine(input.name);
  const names = others.flatMap((person) =>
    person.userId === seat.userId ? [] : [person.username, person.guestName],
  );
  const refusal = guestNameRefusal(name, names.filter(Boolean));
  if (refusal !== null) throw invalid("name", refusal);
  const { userId } = seat;
  await runBatch(app.db, [
    ...guests.renameGuest(app.db, { sessionId: row.id, userId, name, look: lookOf(name) }),
    recordAct(app.db, {
      at: app.now,
      actorId: user.id,
      action: "guest-renamed",
      target: { kind: "session", id: row.id },
      userId,
    }),
  ]);
  notifyRoom(app, row.id);
}

/** Removes every guest, and lets no new one in (H-24). By the host. Idempotent. */
export async function removeGuests(app: App, input: { session: number }): Promise<{ removed: number }> {
  const user = requireUser(app.user);
  await countUse(app, "change-sanction", user.id);
  const row = await readSession(app, input);
  allow(mayHost(app, row), refusals.hostOnly);
  const status = statusAt(row, app.now);
  if (status === SESSION_STATUS.ended) throw new AppError("CONFLICT", SESSION_SENTENCES.ended);
  // The list is read in the batch that frees the seats, so that no guest takes a seat between the two.
  const results = await runBatch(app.db, [
    guests.listGuests(app.db, row.id),
    ...guests.freeGuestSeats(app.db, {
      sessionId: row.id,
      isRefunded: status === SESSION_STATUS.waiting,
      actorId: user.id,
      now: app.now,
    }),
    ...passSeatStatements(app, row, row.guestsCount),
    ...layPlanStatements(app, row, row.participantsCount - row.guestsCount),
    saveNoGuests(app.db, row.id, app.now),
    sessions.findSession(app.db, row.id, viewerOf(app)),
  ]);
  const removedGuests = results[0] as Awaited<ReturnType<typeof guests.listGuests>>;
  const [savedSessions, [currentRow]] = results.slice(-2) as [unknown[], SessionRow[]];
  if (!currentRow) throw noSession();
  if (removedGuests.length > 0) {
    const hasRest = removedGuests.length > SEATS_A_BATCH;
    if (hasRest) await passRest(app, row);
    await updatePlan(app, hasRest ? await readSessionForEnding(app, row.id) : currentRow);
    await refreshRoom(app, row.id);
  }
  const removed = removedGuests.length;
  if ((removed === 0 && savedSessions.length === 0) || !(await hasBegun(app, currentRow))) return { removed };
  for (const { userId } of removedGuests) await expel(app, currentRow, { userId });
  // In a run the room has the versions of the fields. A repeat is no save.
  const recordSave = () =>
    changeRoom(app, currentRow, {
      type: "edit",
      by: { ...actorOf(user), isAudited: true },
      facts: ["guestLimit"],
    });
  if (savedSessions.length > 0) await recordSave().catch(() => notifyInBackground(app, row.id, recordSave));
  return { removed };
}
