// The head of a session: the data that each of its pages shows, as `app.user` may see them.
import * as participants from "#db/queries/sessions/participants";
import type { SessionRow } from "#db/queries/sessions/sessions";
import { isGuest } from "~/domain/guest-rights";
import { isSuperAdmin } from "~/domain/permissions";
import { SEAT_ROLE } from "~/domain/roles";
import { type Aliases, aliasesIn } from "~/domain/room/aliases";
import { mutesInForce } from "~/domain/room/chat";
import { focusAt } from "~/domain/room/focus";
import { shownLine } from "~/domain/room/host-line";
import type { RoomParticipant, RoomView } from "~/domain/room/room";
import { hiddenOf } from "~/domain/safety/blocks";
import { closedAmong, muteAmong } from "~/domain/safety/sanctions";
import { seriesAddress } from "~/domain/series/address";
import { describeRule, parseRule } from "~/domain/series/rule";
import type { SeriesOfSession } from "~/domain/series/view";
import { isMeetingOpen } from "~/domain/sessions/call";
import { ANSWERED_BEFORE } from "~/domain/sessions/leaving";
import { canJoin } from "~/domain/sessions/sessions";
import { isFull, spotsLeft, takesGuests } from "~/domain/sessions/spots";
import { isCancelled, SESSION_STATUS, statusAt } from "~/domain/sessions/status";
import { activeParts, contributionVerdict, mayEditNow } from "~/domain/sessions/turns";
import type { SessionHead, SessionMe, ShownParticipant, ShownSession } from "~/domain/sessions/view";
import { codeExpiryOf, placeIn, waitingPhase } from "~/domain/sessions/waiting";
import { type Instant, later, plusMillis } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import {
  liveRow,
  mayHost,
  mayRead,
  mayRun,
  placeOf,
  returnsUntil,
  seatOfRow,
  sessionPath,
  shownRow,
  termsOf,
  versionWithGoals,
  withHeldSeats,
} from "./read.server";

/** The number of participants that a page loads. */
const MAX_SHOWN_PARTICIPANTS = 500;

/** The data of every page of the session; `isBrief` reduces the roster to the user's own seat. */
export async function headOf(
  requester: App,
  row: SessionRow,
  view: RoomView | null,
  { isBrief = false } = {},
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
    session: showSession(app, live, guestNamesIn(row, seats)),
    me: meIn(app, live, view),
    participants: mayRead(app, row)
      ? shownParticipants(app, live, { seats: isBrief ? [] : seats, online: view?.online, aliases })
      : [],
    mutes: mutesIn(app, row, view, aliases),
    line: visibleLineOf(app, row, view),
    ticket: await ticketFor(app, live),
    now: app.now,
  };
}

/** The host's line on all screens; null once its part has ended. */
export function lineOf(view: RoomView | null): SessionHead["line"] {
  const line = shownLine(view?.state.line, view?.state.schedule ?? { groups: [] });
  return line && { seq: line.seq, content: line.content, partId: line.partId };
}

const visibleLineOf = (app: App, row: SessionRow, view: RoomView | null): SessionHead["line"] =>
  mayRead(app, row) && !hiddenOf(row.hidden).ids.has(view?.state.line?.userId ?? 0) ? lineOf(view) : null;

/**
 * The ticket for the room's socket. Only participants get one: whether others may watch depends on huts and blocks that
 * the room does not know, and the acts of super admins are logged.
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
  const names = new Map(view.state.participants.map(({ userId, username }) => [userId, username]));
  const others = mutesInForce(view.state, app.now).flatMap(({ userId, until }) => {
    const username = names.get(userId);
    const isShown = username !== undefined && username !== row.seatName;
    return isShown ? [{ username: aliases.get(username) ?? username, until }] : [];
  });
  return [...ownMutes, ...others];
}

/** The names of guests as typed, by their usernames: of seats, and of authors who have left (H-23). */
const guestNamesIn = (row: SessionRow, seats: readonly ShownSeat[]): ReadonlyMap<string | null, string> =>
  new Map(
    [...row.contributions, ...seats].flatMap(({ username, guestName }) =>
      guestName ? [[username, guestName] as const] : [],
    ),
  );

function showSession(app: App, row: SessionRow, guestNames: ReturnType<typeof guestNamesIn>): ShownSession {
  return {
    id: row.id,
    slug: row.slug,
    path: sessionPath(row.id),
    title: row.title,
    content: row.content,
    contentHtml: row.contentHtml,
    contributions: row.contributions.map(({ userId: _, uuid: __, guestName: ___, ...contribution }) => {
      const guestName = guestNames.get(contribution.username);
      return { ...contribution, ...(guestName !== undefined && { guestName }) };
    }),
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
    takesGuests: takesGuests(row),
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
    updatedAt: versionWithGoals(row),
  };
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
    // An admin starts a session with a date by the call only, so that no press begins it days ahead.
    canStart:
      canRun && (canHost || row.startedAt === null) && status === SESSION_STATUS.waiting && !row.isTemplate,
    mayDelete: canHost && status !== SESSION_STATUS.running,
    mayReset: isSuperAdmin(user),
    mayReport: user !== null && user.id !== row.ownerId,
    mayRead: mayRead(app, row),
    mayEditContent: mayEditNow(rights, status, active, "mayEditContent"),
    mayEditPrompt: mayEditNow(rights, status, active, "mayEditPrompt"),
    mayContribute:
      mute === null &&
      row.seatName !== null &&
      contributionVerdict(row.seatName, status, active, now) === "may",
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
