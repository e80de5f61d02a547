// GET /sessions/{id}/socket: the upgrade, with the identity of the login, never the client's claim. ?watch=1 opens
// a read-only socket without chat for spectators, and ?watch=stage a socket that is the same for everybody (J-10).
import type { Context, Next } from "hono";
import { AppError } from "~/domain/errors";
import { guestRefused, isGuest, mayGuestVisit } from "~/domain/guest-rights";
import { loadOnce } from "~/domain/load-once";
import { USER_ROLE } from "~/domain/roles";
import { instant } from "~/domain/time";
import { asVisitor } from "~/use-cases/app.server";
import { networkOf } from "~/use-cases/network.server";
import { requireSameFrame } from "~/use-cases/safety/blocks.server";
import { requireSeen } from "~/use-cases/sessions/read.server";
import { hashToken } from "~/use-cases/tokens.server";
import { JOIN_PARAM, ROOM_PARAM, SINCE_PARAM, SOCKET_PROTOCOL, WATCH, WATCH_PARAM } from "~/wire/room/room";
import { openRoom } from "../adapters/rooms";
import { createTickets, type TicketReader } from "../adapters/tickets";
import { isSecure, loginCookieName, readCookie } from "../cookies";
import { guardOrigin } from "../guards";
import { isLocalRequest } from "../own-machine";
import { originOf } from "../request-origin";
import { type HonoEnv, jsonError } from "../serve";
import { ENTRY, type Entry, type Identity } from "./sockets";

type SocketContext = Context<HonoEnv>;

/**
 * The upgrade with a ticket calls only the room, and runs before the other steps of a request. Without a valid ticket the
 * request continues, and its cookie decides.
 */
export async function openWithTicket(c: SocketContext, next: Next): Promise<Response | undefined> {
  const response = await enterByTicket(c).catch(() => null);
  if (response?.status === 101) return response;
  // A refusal needs the headers and the log line of other answers.
  await next();
}

async function enterByTicket(c: SocketContext): Promise<Response | null> {
  const [, token] = protocolsOf(c);
  if (token === undefined || !isUpgrade(c) || isWatching(c)) return null;
  const url = new URL(c.req.url);
  const ownOrigin = c.env.APP_ORIGIN || url.origin;
  const loginToken = readCookie(c.req.raw, loginCookieName(isSecure(url)));
  const tickets = ticketsOf(c);
  if (!tickets || !loginToken || url.origin !== ownOrigin || !isSameOrigin(c, ownOrigin)) return null;
  const now = instant(Date.now());
  const validTicket = await tickets.read(token, now);
  const isForRequest =
    validTicket !== null &&
    String(validTicket.ticket.sessionId) === c.req.param("session") &&
    validTicket.ticket.loginHash === (await hashToken(loginToken));
  if (!isForRequest) return null;
  const { ticket, kind } = validTicket;
  const { sessionId, userId, username, timeZone, loginHash } = ticket;
  const network = networkOf({ origin: originOf(c) });
  return enter(c, sessionId, network, {
    identity: { userId, username, isSuperAdmin: false, timeZone, loginHash, network },
    // Only a page's ticket yields another, so an hour after the last read of D1 the cookie decides again.
    ticket: kind === "page" ? await tickets.issueReturn(ticket, now) : null,
  });
}

export async function openSocket(c: SocketContext): Promise<Response> {
  const isStage = c.req.query(WATCH_PARAM) === WATCH.stage;
  const app = isStage ? asVisitor(c.get("app")) : c.get("app");
  if (!isUpgrade(c)) return jsonError(c, new AppError("INVALID", "This address speaks WebSocket only."));
  const isSpectator = isWatching(c);
  if (app.suspensionSentence !== undefined)
    return jsonError(c, new AppError("FORBIDDEN", app.suspensionSentence));
  if (isGuest(app.user) && !mayGuestVisit(app.user, c.req.path)) return jsonError(c, guestRefused());
  if (!app.user && !isSpectator) return jsonError(c, new AppError("UNAUTHENTICATED"));
  guardOrigin(c.req.raw, app.settings.origin, false);
  const id = c.req.param("session") ?? "";
  if (!/^[1-9]\d{0,14}$/.test(id)) return jsonError(c, new AppError("NOT_FOUND"));
  const sessionId = Number(id);
  const [, code] = protocolsOf(c);
  if (isStage && code !== undefined) return openLinked(c, sessionId, code);
  await requireSeen(app, sessionId);
  if (isSpectator) await requireSameFrame(app);
  const network = networkOf(app);
  if (isStage) return enter(c, sessionId, network, null, { isStage });
  if (isSpectator || !app.user) return enter(c, sessionId, network, null);
  const { id: userId, username, roleId, loginHash } = app.user;
  const isSuperAdmin = roleId === USER_ROLE.superAdmin;
  const { timeZone } = app;
  const ticket = isSuperAdmin
    ? null
    : await ticketsOf(c)?.issueReturn({ sessionId, userId, username, timeZone, loginHash }, app.now);
  return enter(c, sessionId, network, {
    identity: { userId, username, isSuperAdmin, timeZone, loginHash, network },
    ticket: ticket ?? null,
  });
}

/** Loaded on demand, because few sockets open by a view link. */
const loadViewLinks = loadOnce(() => import("~/use-cases/sessions/view-links.server"));

/** The stage behind a view link (J-10). A link that ended while its socket opened closes it again. */
async function openLinked(c: SocketContext, sessionId: number, code: string): Promise<Response> {
  const app = asVisitor(c.get("app"));
  const { requireViewed } = await loadViewLinks();
  await requireViewed(app, code, sessionId);
  const response = await enter(c, sessionId, networkOf(app), null, { isStage: true, isLinked: true });
  try {
    await requireViewed(app, code, sessionId);
  } catch (error) {
    await app.rooms.of(sessionId).closeSpectators("isLinked");
    throw error;
  }
  return response;
}

/** Opens the socket in the room: a spectator's if `participant` is null. `ticket` is for the welcome. */
async function enter(
  c: SocketContext,
  sessionId: number,
  network: string,
  participant: { identity: Identity; ticket: string | null } | null,
  kind: Pick<Entry, "isStage" | "isLinked"> = {},
): Promise<Response> {
  const isNamed = protocolsOf(c)[0] === SOCKET_PROTOCOL;
  const join = participant ? joinOf(c, sessionId) : {};
  const entry: Entry = {
    sessionId,
    identity: null,
    ticket: null,
    ...participant,
    network,
    isNamed,
    ...join,
    ...kind,
  };
  return openRoom(c.env, sessionId).fetch("http://room/", upgradeWith(entry));
}

/**
 * The join in the URL, if it has one. Without a number as `since`, the welcome sends everything. A join of another room
 * gets an empty username, which the room refuses.
 */
function joinOf(c: SocketContext, sessionId: number): Pick<Entry, "join"> {
  const claimedName = c.req.query(JOIN_PARAM);
  if (claimedName === undefined) return {};
  const username = (c.req.query(ROOM_PARAM) ?? String(sessionId)) === String(sessionId) ? claimedName : "";
  const since = c.req.query(SINCE_PARAM) ?? "";
  return { join: { username, ...(/^\d{1,15}$/.test(since) && { since: Number(since) }) } };
}

/** A request with only the entry. The room needs no other header, and copying them would cost more than the call. */
const upgradeWith = (entry: Entry) => ({
  headers: { Upgrade: "websocket", [ENTRY]: JSON.stringify(entry) },
});

const isUpgrade = (c: SocketContext): boolean => c.req.header("Upgrade") === "websocket";
const isWatching = (c: SocketContext): boolean =>
  Object.values<string | undefined>(WATCH).includes(c.req.query(WATCH_PARAM));
/** The subprotocols that the client offers: ours, then the ticket. A ticket in the URL would reach logs. */
const protocolsOf = (c: SocketContext): string[] =>
  (c.req.header("Sec-WebSocket-Protocol") ?? "")
    .split(",")
    .map((protocol) => protocol.trim())
    .filter(Boolean);
const ticketsOf = (c: SocketContext): TicketReader | null =>
  createTickets(c.env, isLocalRequest(c.env, c.req.raw));

function isSameOrigin(c: SocketContext, ownOrigin: string): boolean {
  try {
    guardOrigin(c.req.raw, ownOrigin, false);
    return true;
  } catch {
    return false;
  }
}
