// Reads a session: its record from D1, and the live state from its room. The record applies until the run begins, and
// whenever the room does not answer; otherwise the room applies.

import { STANDING_SEAT_PREFIX } from "#db/queries/series/series";
import * as participants from "#db/queries/sessions/participants";
import type { SessionRow } from "#db/queries/sessions/sessions";
import * as sessions from "#db/queries/sessions/sessions";
import { AppError, asAppError, isAppError } from "~/domain/errors";
import type { Goal } from "~/domain/goals/goals";
import { isGuest } from "~/domain/guest-rights";
import { asOrdinary, canHostSession, canRunSession, isSuperAdmin, type Seat } from "~/domain/permissions";
import { SEAT_ROLE } from "~/domain/roles";
import { type Aliases, aliasesIn, contributionsSeenBy, turnsSeenBy } from "~/domain/room/aliases";
import { versionOf } from "~/domain/room/edit";
import { focusAt } from "~/domain/room/focus";
import { shownLine } from "~/domain/room/host-line";
import { withoutNames } from "~/domain/room/outsider-view";
import type { RoomActor, RoomChange, RoomParticipant, RoomView } from "~/domain/room/room";
import { hiddenOf } from "~/domain/safety/blocks";
import { closedAmong, isInForce, muteAmong } from "~/domain/safety/sanctions";
import { seriesAddress } from "~/domain/series/address";
import { describeRule, parseRule } from "~/domain/series/rule";
import type { SeriesOfSession } from "~/domain/series/view";
import { isMeetingOpen } from "~/domain/sessions/call";
import { ANSWERED_BEFORE, countedStart, type SeatTerms } from "~/domain/sessions/leaving";
import * as sessionRefusals from "~/domain/sessions/refusals";
import { canJoin } from "~/domain/sessions/sessions";
import { isFull, spotsLeft } from "~/domain/sessions/spots";
import { isCancelled, SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { activeParts, contributionOf, mayEditNow } from "~/domain/sessions/turns";
import type { SessionHead, SessionMe, ShownParticipant, ShownSession } from "~/domain/sessions/view";
import { codeExpiryOf, heldFromOthers, placeIn, waitingPhase } from "~/domain/sessions/waiting";
import { type Instant, later, plusMillis } from "~/domain/time";
import type { App, CurrentUser } from "~/use-cases/app.server";
import { logRoomFailure } from "~/use-cases/notify-room.server";
import type { OverseenAct } from "~/use-cases/super-admin-acts.server";
import { viewerOf } from "~/use-cases/viewer.server";

/** By id or by slug. */
export type SessionRef = { session: number } | { slug: string };

/** The number of participants that a page loads. */
const MAX_SHOWN_PARTICIPANTS = 500;

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
  more: { may?: typeof canRunSession; previous?: string; reason?: string | undefined } = {},
): OverseenAct => {
  const { may = canRunSession, ...rest } = more;
  return {
    action,
    target: { kind: "session", id: row.id },
    userId: row.hostId ?? row.ownerId,
    isOwnRight: may(asOrdinary(app.user), seatOfRow(row)),
    ...rest,
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
/** In a session with a join code only people with a seat read participants' texts (R-16, Q-45). */
export const mayRead = (app: App, row: SessionRow): boolean =>
  row.joinCode === "" || seatOfRow(row) !== null || isSuperAdmin(app.user);

/** The user, as the room knows people. */
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

/** A batch that begins with the session's row, and its room. */
export async function withRoom<T extends [SessionRow[], ...unknown[]]>(
  app: App,
  id: number,
  roomRead: Promise<T>,
): Promise<[T, RoomView | null]> {
  return Promise.all([roomRead, viewRoomIf(app, id, async () => (await roomRead)[0].length > 0)]);
}

/** NOT_FOUND where there is no session, so that no room is made for it. The room decides who may do what. */
export async function requireRoom(app: App, id: number): Promise<void> {
  if (!app.rooms.hasOpened(id)) await requireSeen(app, id);
}

/** NOT_FOUND where the user sees no such session. */
export async function requireSeen(app: App, id: number) {
  const [row] = await sessions.findSessionId(app.db, id, viewerOf(app));
  if (!row) throw noSession();
  return row;
}

/**
 * Like `requireSeen`, and FORBIDDEN to people who are kept out, because the room of an ended session may still hold
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

/** The creator's name; with a join code, outsiders see only the host. */
export const shownOwner = (app: App, row: SessionRow): string =>
  (mayRead(app, row) || row.ownerId === row.hostId) && !hiddenOf(row.hidden).ids.has(row.ownerId)
    ? row.ownerName
    : "";

/** A goal of the session as `app.user` may see it: participants' progress is hidden from outsiders. */
export const shownGoal = (app: App, row: SessionRow, goal: Goal): Goal =>
  mayRead(app, row)
    ? goal
    : { ...goal, amountElapsed: 0, durationElapsed: 0, distanceElapsed: 0, logsCount: 0 };

/** The data of every page of the session; `isBrief` reduces the roster to the user. */
export async function headOf(
  requester: App,
  row: SessionRow,
  view: RoomView | null,
  isBrief = false,
): Promise<SessionHead> {
  if (row.joinCode !== "") requester.hasCode = true;
  requester.shownRecords.push({ of: "sessions", id: row.id });
  // The room's actions for this request happened after the request was received.
  const app = view ? { ...requester, now: later(requester.now, view.now) } : requester;
  const isHiding = row.hidden.length > 0;
  const seats = (isBrief || !mayRead(app, row)) && !isHiding ? [] : await seatsOf(app, row, view);
  const aliases: Aliases = isHiding
    ? aliasesIn({ ...liveRow(row, view), participants: seats }, hiddenOf(row.hidden))
    : new Map();
  const live = shownRow(app, row, view, aliases);
  return {
    session: showSession(app, live),
    me: meIn(app, live, view),
    participants: mayRead(app, row)
      ? shownParticipants(app, live, { seats: isBrief ? [] : seats, online: view?.online, aliases })
      : [],
    mutes: mutesIn(app, row, view, aliases),
    line: lineSeen(app, row, view),
    ticket: await ticketFor(app, live),
    now: app.now,
  };
}

/** The host's line on all screens; null once its part has ended. */
export function lineOf(view: RoomView | null): SessionHead["line"] {
  const line = shownLine(view?.state.line, view?.state.schedule ?? { groups: [] });
  return line && { seq: line.seq, content: line.content, partId: line.partId };
}

const lineSeen = (app: App, row: SessionRow, view: RoomView | null): SessionHead["line"] =>
  mayRead(app, row) && !hiddenOf(row.hidden).ids.has(view?.state.line?.userId ?? 0) ? lineOf(view) : null;

/**
 * Only for participants: whether somebody may watch depends on huts and blocks that the room does not know, and the acts of
 * super admins are logged.
 */
async function ticketFor(app: App, row: SessionRow): Promise<string | null> {
  const { user, tickets, timeZone, now } = app;
  if (
    !user ||
    !tickets ||
    isSuperAdmin(user) ||
    row.seatName === null ||
    statusAt(row, now) === SESSION_STATUS.ended
  )
    return null;
  const { id, username, loginHash } = user;
  return tickets.issue({ sessionId: row.id, userId: id, username, timeZone, loginHash }, now);
}

/** The mutes that the viewer may see. The room knows those of all people, the record only the viewer's own. */
function mutesIn(app: App, row: SessionRow, view: RoomView | null, aliases: Aliases): SessionHead["mutes"] {
  const ownMute = muteAmong(row.sanctions, app.now);
  const ownMutes = ownMute && row.seatName !== null ? [{ username: row.seatName, until: ownMute.until }] : [];
  if (!view || !mayRun(app, row)) return ownMutes;
  const { participants, mutes } = view.state;
  const names = new Map(participants.map(({ userId, username }) => [userId, username]));
  const others = mutes.flatMap(({ userId, until }) => {
    const username = names.get(userId);
    const isShown = username !== undefined && username !== row.seatName && isInForce({ until }, app.now);
    return isShown ? [{ username: aliases.get(username) ?? username, until }] : [];
  });
  return [...ownMutes, ...others];
}

/** A hut or an activity beside a session; null where there is none, or none that the user sees. */
export const placeOf = (id: number | null, slug: string | null, title: string | null) =>
  id === null || slug === null ? null : { id, slug, title: title ?? "" };

function showSession(app: App, row: SessionRow): ShownSession {
  return {
    id: row.id,
    slug: row.slug,
    path: sessionPath(row.id),
    title: row.title,
    content: row.content,
    contentHtml: row.contentHtml,
    contributions: row.contributions.map(({ userId: _, uuid: __, ...contribution }) => contribution),
    summary: row.summary,
    prompt: row.prompt,
    status: statusAt(row, app.now),
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    duration: row.duration,
    isManuallyStarted: row.isManuallyStarted,
    isTemplate: row.isTemplate && !row.isExample,
    participantLimit: row.participantLimit,
    participantsCount: row.participantsCount,
    came: row.recap === null ? null : row.recap.people.filter(({ hasCome }) => hasCome).length,
    spotsLeft: spotsLeft(withHeldSeats(row, app.now)),
    waitersCount: row.waiting.length,
    donationLink: row.donationLink,
    meetingLink: mayRun(app, row) || (seatOfRow(row) && isMeetingOpen(row, app.now)) ? row.meetingLink : "",
    joinCode: mayRun(app, row) ? row.joinCode : "",
    needsCode: row.joinCode !== "",
    isPrivate: row.isPrivate,
    slowMode: row.slowMode,
    isFree: row.isFree,
    needsHost: row.needsHost,
    guestLimit: row.guestLimit,
    takesGuests: row.guestLimit > row.guestsCount && !row.isPrivate,
    isCancelled: isCancelled(row),
    hasRecap: row.recap !== null,
    category: row.category,
    difficulty: row.difficulty,
    hut: placeOf(row.hutId, row.hutSlug, row.hutTitle),
    activity: placeOf(row.activityId, row.activitySlug, row.activityTitle),
    ownerUsername: row.ownerName,
    hostUsername: row.hostName,
    // The host's own pages follow the browser's zone, of which the stored one is a copy.
    hostZone: row.seatIsHost ? null : row.hostZone,
    schedule: row.schedule,
    roomVersion: row.roomVersion,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

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

/** The viewer's permissions, for display; use cases and room check them again. */
function meIn(app: App, row: SessionRow, view: RoomView | null): SessionMe {
  const { user, now, settings } = app;
  const seat = seatOfRow(row);
  const status = statusAt(row, now);
  const canRun = mayRun(app, row);
  const canHost = mayHost(app, row);
  const active = view && status === SESSION_STATUS.running ? activeParts(view.state.schedule) : [];
  const rights = { canRun, canHost };
  const heldSeats = withHeldSeats(row, now);
  const waiting = seat === null && status !== SESSION_STATUS.ended ? placeIn(row.waiting, now) : null;
  const mute = muteAmong(row.sanctions, now);
  const terms = termsOf(row);
  const closedBan = closedAmong(row.sanctions, now);
  return {
    isSignedIn: user !== null,
    isGuest: isGuest(user),
    guestName: isGuest(user) ? user.firstName : "",
    username: row.seatName ?? user?.username ?? null,
    isJoined: seat !== null,
    seat: seat && { role: seat.role, isHost: seat.isHost },
    aim: row.seatAim ?? "",
    aimGoalId: row.seatAimGoalId,
    canRun,
    canHost,
    canJoin: closedBan === null && canJoin(heldSeats, seat !== null, settings.roomCapacity, now),
    canWait:
      closedBan === null &&
      seat === null &&
      !isGuest(user) &&
      waiting === null &&
      status !== SESSION_STATUS.ended &&
      !row.isTemplate &&
      isFull(heldSeats, settings.roomCapacity) &&
      waitingPhase(row, now) !== "open",
    waiting,
    askedUntil: askedUntil(row, now),
    canMakeCall: canHost && settings.meetingBase !== null && status !== SESSION_STATUS.ended,
    canLeave: seat !== null && !seat.isHost && status !== SESSION_STATUS.ended,
    seatTerms: terms && { ...terms, returnsUntil: returnsUntil(app, row, view) },
    canStart: canRun && status === SESSION_STATUS.waiting && !row.isTemplate,
    mayDelete: canHost && status !== SESSION_STATUS.running,
    mayReset: isSuperAdmin(user),
    mayRead: mayRead(app, row),
    mayEditContent: mayEditNow(rights, status, active, "mayEditContent"),
    mayEditPrompt: mayEditNow(rights, status, active, "mayEditPrompt"),
    mayContribute:
      mute === null && row.seatName !== null && contributionOf(row.seatName, status, active, now) === "may",
    mayPost: seat !== null && mute === null && !isGuest(user),
    mayChat:
      seat !== null &&
      status === SESSION_STATUS.running &&
      mute === null &&
      (canRun || !view || focusAt(view.state, now) === null),
    hearsLive: seat !== null || row.hidden.length === 0,
    mute,
    series: seriesOf(app, row),
    invitePath: invitePathOf(row),
    closed: closedBan,
  };
}

function askedUntil({ seatAskedAt, startedAt }: SessionRow, now: Instant): Instant | null {
  const until = seatAskedAt === null || startedAt === null ? null : plusMillis(startedAt, -ANSWERED_BEFORE);
  return until !== null && now <= until ? until : null;
}

function seriesOf(app: App, row: SessionRow): SeriesOfSession | null {
  const { series } = row;
  const rule = series && series.hasEnded === 0 ? parseRule(series.rule) : null;
  if (!series || !rule) return null;
  return {
    id: series.id,
    address: seriesAddress(series),
    ruleText: describeRule(rule, series.localStart, series.timeZone),
    isStanding: series.standing !== null,
    codeExpiresAt: codeExpiryOf(series.standing?.codeAskedAt ?? null),
    isMine: series.ownerId === app.user?.id,
    next: series.next && { path: sessionPath(series.next.id), startedAt: series.next.startedAt },
  };
}

/**
 * The series' address, which leads to each of its dates (H-11). The session's own path if it has no series, or if the
 * series opens to other people than the session (H-13).
 */
export const invitePathOf = ({ id, series }: SessionRow): string =>
  series?.hasEnded === 0 && series.invites === 1 ? seriesAddress(series) : sessionPath(id);

type ShownSeat = Omit<RoomParticipant, "joinedAt">;

/** The seats in order of joining: from the room, or from the record if the room does not answer. */
export const seatsOf = async (app: App, row: SessionRow, view: RoomView | null): Promise<ShownSeat[]> =>
  view
    ? view.state.participants
    : (await participants.listSeats(app.db, row.id, MAX_SHOWN_PARTICIPANTS)).map((seat) => ({
        ...seat,
        isReady: false,
        // The aims of muted people are hidden, and only the room knows everybody's mutes.
        aim: "",
      }));

/** The host first, then in order of joining. The viewer's own seat comes from the record, because the room may lag. */
function shownParticipants(
  app: App,
  row: SessionRow,
  roster: { seats: ShownSeat[]; online: string[] | undefined; aliases: Aliases },
): ShownParticipant[] {
  const { seats, aliases } = roster;
  const online = new Set(roster.online);
  const myId = app.user?.id;
  const visibleSeats = seats
    .filter((seat) => seat.userId !== myId || row.seatName !== null)
    .map((seat) => {
      const person = showParticipant(seat, row, online.has(seat.username));
      const aim = row.seatName === null ? "" : (seat.aim ?? "");
      return underAlias({ ...person, aim }, aliases.get(person.username), seat.handle);
    });
  if (row.seatName !== null && !seats.some((seat) => seat.userId === myId))
    visibleSeats.push({
      username: row.seatName,
      role: row.seatRole ?? SEAT_ROLE.participant,
      isHost: row.seatIsHost,
      isBuilder: myId === row.ownerId,
      isReady: false,
      isOnline: false,
      completedAt: null,
      aim: "",
      handle: null,
    });
  return [
    ...visibleSeats.filter((seat) => seat.isHost),
    ...visibleSeats.filter((seat) => !seat.isHost),
  ].slice(0, MAX_SHOWN_PARTICIPANTS);
}

export const showParticipant = (
  seat: Omit<RoomParticipant, "joinedAt">,
  row: Pick<SessionRow, "ownerId">,
  isOnline: boolean,
): ShownParticipant => ({
  username: seat.username,
  role: seat.role,
  isHost: seat.isHost,
  isBuilder: seat.userId === row.ownerId,
  isReady: seat.isReady,
  isOnline,
  completedAt: seat.completedAt,
  aim: "",
  handle: null,
  ...(seat.guestName ? { guestName: seat.guestName } : {}),
});

/** The person under an alias, for a viewer who may not read the name; unchanged without an alias. */
export const underAlias = <P extends ShownParticipant>(
  person: P,
  alias: string | undefined,
  handle: string | null | undefined,
): P =>
  alias === undefined
    ? person
    : { ...person, username: alias, handle: handle ?? null, aim: "", guestName: undefined };
