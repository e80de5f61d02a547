// Reads a session: its record from D1, and the live state from its room. The record applies until the run begins, and
// whenever the room does not answer; otherwise the room applies.
import { STANDING_SEAT_PREFIX } from "#db/queries/sessions/paid-seats";
import type { SessionRow } from "#db/queries/sessions/sessions";
import * as sessions from "#db/queries/sessions/sessions";
import { AppError, asAppError, isAppError } from "~/domain/errors";
import type { Goal } from "~/domain/goals/goals";
import { asOrdinary, canHostSession, canRunSession, isSuperAdmin, type Seat } from "~/domain/permissions";
import { SEAT_ROLE } from "~/domain/roles";
import { type Aliases, contributionsSeenBy, turnsSeenBy } from "~/domain/room/aliases";
import { versionOf } from "~/domain/room/edit";
import { withoutNames } from "~/domain/room/outsider-view";
import type { RoomActor, RoomChange, RoomView } from "~/domain/room/room";
import { hiddenOf } from "~/domain/safety/blocks";
import { closedAmong } from "~/domain/safety/sanctions";
import { countedStart, type SeatTerms } from "~/domain/sessions/leaving";
import * as sessionRefusals from "~/domain/sessions/refusals";
import { heldFromOthers } from "~/domain/sessions/waiting";
import { type Instant, later } from "~/domain/time";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { logRoomFailure } from "~/use-cases/notify-room.server";
import type { OverseenAct } from "~/use-cases/super-admin-acts.server";
import { viewerOf } from "~/use-cases/viewer.server";

/** The id or the slug of a session. */
export type SessionRef = { session: number } | { slug: string };

export async function readSession(app: App, ref: SessionRef): Promise<SessionRow> {
  const [row] =
    "session" in ref
      ? await sessions.findSession(app.db, ref.session, viewerOf(app))
      : await sessions.findSessionBySlug(app.db, ref.slug, viewerOf(app));
  if (!row) throw noSession();
  return row;
}

/** Reads a session for the effects of an ending, whose cause may be hidden from the acting user. */
export async function readSessionForEnding(app: App, session: number): Promise<SessionRow> {
  const [row] = await sessions.findAnySession(app.db, session, app.user?.id ?? 0);
  if (!row) throw noSession();
  return row;
}

export const noSession = () => new AppError("NOT_FOUND", sessionRefusals.noSession);

export const sessionPath = (id: number): string => `/sessions/${id}`;

export const seatOfRow = (row: SessionRow): Seat | null =>
  row.seatName === null ? null : { role: row.seatRole ?? SEAT_ROLE.participant, isHost: row.seatIsHost };

export const mayRun = (app: App, row: SessionRow): boolean => canRunSession(app.user, seatOfRow(row));
export const mayHost = (app: App, row: SessionRow): boolean => canHostSession(app.user, seatOfRow(row));

/** The row with the number of seats that are offered to other people (G-22). */
export const withHeldSeats = <R extends SessionRow>(row: R, now: Instant): R & { heldSeats: number } => ({
  ...row,
  heldSeats: heldFromOthers(row.waiting, now),
});

/** An act on a session, for the audit. Acts that host and admins may do by their own right need no row. */
export const overseenBy = (
  app: App,
  row: SessionRow,
  action: OverseenAct["action"],
  options: { hasRight?: typeof canRunSession; previous?: string; reason?: string | undefined } = {},
): OverseenAct => {
  const { hasRight = canRunSession, ...details } = options;
  return {
    action,
    target: { kind: "session", id: row.id },
    userId: row.hostId ?? row.ownerId,
    isOwnRight: hasRight(asOrdinary(app.user), seatOfRow(row)),
    ...details,
  };
};

/** The facts that decide whether leaving returns the viewer's token; null without a seat. */
export const termsOf = (row: SessionRow): Omit<SeatTerms, "returnsUntil"> | null =>
  row.seatReference === null
    ? null
    : {
        joinedStart: row.seatJoinedStart,
        isStanding: row.seatReference.startsWith(STANDING_SEAT_PREFIX),
        askedAt: row.seatAskedAt,
        isOwn: row.seatIsOwn,
      };

/** True if the user may read participants' texts: with a join code only people with a seat may (R-16, Q-45). */
export const mayRead = (app: App, row: SessionRow): boolean =>
  row.joinCode === "" || seatOfRow(row) !== null || isSuperAdmin(app.user);

/** The user as the actor of a change in the room. */
export const actorOf = (user: CurrentUser): RoomActor => ({
  userId: user.id,
  username: user.username,
  isSuperAdmin: isSuperAdmin(user),
  timeZone: user.timeZone,
});

/** The room's present state; null if it does not answer. */
export const viewRoom = (app: App, id: number): Promise<RoomView | null> =>
  app.rooms
    .of(id)
    .view()
    .catch((error: unknown) => {
      // A session that was deleted meanwhile is no failure.
      if (asAppError(error).code !== "NOT_FOUND")
        logRoomFailure({ event: "room-not-seen", session: id, error });
      return null;
    });

/**
 * Like `viewRoom`, in parallel with the record if the room is known, else after it: calling the room of an unknown
 * session would create it.
 */
export const viewRoomIf = async (
  app: App,
  id: number,
  isFound: () => Promise<boolean>,
): Promise<RoomView | null> => (app.rooms.hasOpened(id) || (await isFound()) ? viewRoom(app, id) : null);

/** Awaits a batch that begins with the session's row, and reads its room in parallel. */
export async function withRoom<T extends [SessionRow[], ...unknown[]]>(
  app: App,
  id: number,
  roomRead: Promise<T>,
): Promise<[T, RoomView | null]> {
  return Promise.all([roomRead, viewRoomIf(app, id, async () => (await roomRead)[0].length > 0)]);
}

/** NOT_FOUND where there is no session, so that no room is created for it. The room checks the permissions. */
export async function requireRoom(app: App, id: number): Promise<void> {
  if (!app.rooms.hasOpened(id)) await requireSeen(app, id);
}

/** NOT_FOUND for a session that the user does not see. */
export async function requireSeen(app: App, id: number) {
  const [row] = await sessions.findSessionId(app.db, id, viewerOf(app));
  if (!row) throw noSession();
  return row;
}

/**
 * Like `requireSeen`, and FORBIDDEN to banned people, because the room of an ended session may still hold
 * their seats.
 */
export async function requireLetIn(app: App, id: number): Promise<void> {
  const { sanctions } = await requireSeen(app, id);
  const closedBan = closedAmong(sanctions, app.now);
  if (closedBan !== null) throw new AppError("FORBIDDEN", closedBan);
}

/**
 * Applies a change in the room. If the room does not know a seat of the record yet, it is refreshed and called again.
 */
export async function changeRoom(app: App, row: SessionRow, roomChange: RoomChange): Promise<RoomView> {
  const room = app.rooms.of(row.id);
  const change = roomChange.type === "edit" ? { ...roomChange, recorded: row.updatedAt } : roomChange;
  try {
    return await room.change(change);
  } catch (error) {
    if (!isAppError(error) || error.code !== "FORBIDDEN" || row.seatName === null) throw error;
    await room.refresh();
    return room.change(change);
  }
}

/**
 * The row with the room's changes since; the row itself until the run begins. The room decides on fields of an ended
 * session too, so its version counts there.
 */
export function liveRow(row: SessionRow, view: RoomView | null): SessionRow {
  const state = view?.state;
  if (!state || state.runBegunAt === null) return row;
  const updatedAt = later(row.updatedAt, versionOf(state));
  if (row.closedAt !== null) return { ...row, updatedAt };
  return {
    ...row,
    title: state.title,
    content: state.content,
    contentHtml: state.contentHtml,
    contributions: [...state.contributions],
    summary: state.summary,
    prompt: state.prompt,
    startedAt: state.startedAt,
    endedAt: state.endedAt,
    schedule: state.schedule,
    roomVersion: Math.max(row.roomVersion, state.seq),
    updatedAt,
  };
}

/** The version from which an edit begins: it covers the goals too, which are saved without the session. */
export const versionWithGoals = ({ updatedAt, goalsUpdatedAt }: SessionRow): Instant =>
  later(updatedAt, goalsUpdatedAt);

/** The session as `app.user` may see it: with a join code and without a seat, only the host's texts. */
export function shownRow(app: App, row: SessionRow, view: RoomView | null, aliases: Aliases): SessionRow {
  const live = withAliases(liveRow(row, view), aliases);
  if (mayRead(app, row)) return live;
  return {
    ...live,
    contributions: [],
    prompt: "",
    summary: "",
    ownerName: shownOwner(app, live),
    schedule: withoutNames(live.schedule),
  };
}

/** Names of hidden people as the viewer reads them. */
function withAliases(row: SessionRow, aliases: Aliases): SessionRow {
  const hiddenPeople = hiddenOf(row.hidden);
  const nameFor = (name: string) => aliases.get(name) ?? (hiddenPeople.names.has(name) ? "" : name);
  return {
    ...row,
    ownerName: nameFor(row.ownerName),
    hostName: row.hostName && (nameFor(row.hostName) || null),
    hostZone: row.hostName && hiddenPeople.names.has(row.hostName) ? null : row.hostZone,
    schedule: turnsSeenBy(row.schedule, aliases),
    contributions: [...contributionsSeenBy(row.contributions, aliases)],
  };
}

/** The name of the creator's seat; with a join code, outsiders see only the host. */
export const shownOwner = (app: App, row: SessionRow): string =>
  (mayRead(app, row) || row.ownerId === row.hostId) && !hiddenOf(row.hidden).ids.has(row.ownerId)
    ? row.ownerName
    : "";

/** A goal of the session as `app.user` may see it: participants' progress is hidden from outsiders. */
export const shownGoal = (app: App, row: SessionRow, goal: Goal): Goal =>
  mayRead(app, row)
    ? goal
    : { ...goal, amountElapsed: 0, durationElapsed: 0, distanceElapsed: 0, logsCount: 0 };

/** A hut or an activity beside a session; null where there is none, or none that the user sees. */
export const placeOf = (id: number | null, slug: string | null, title: string | null) =>
  id === null || slug === null ? null : { id, slug, title: title ?? "" };

/**
 * Until when leaving returns the token of a session that began long before its planned start: until that start, if the
 * viewer joined before the session began and has not been in its room. Null otherwise.
 */
export function returnsUntil(app: App, { seatJoinedAt }: SessionRow, view: RoomView | null): Instant | null {
  const { state, visitors = [] } = view ?? {};
  if (!state?.startedAt || !app.user || seatJoinedAt === null || seatJoinedAt > state.startedAt) return null;
  const countdown = countedStart(state.startedAt, state.plan?.plannedStart);
  const isOpen = countdown > state.startedAt && app.now < countdown && !visitors.includes(app.user.id);
  return isOpen ? countdown : null;
}
