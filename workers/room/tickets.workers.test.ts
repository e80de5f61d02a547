// Room tickets (decision 45): they open a participant's socket without D1, only beside the cookie of their login, and
// nothing after a removal or the end of the login.
import { abortAllDurableObjects, evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { decodeJwt, SignJWT, UnsecuredJWT } from "jose";
import { expect, test, vi } from "vitest";
import { ask, callAs, ORIGIN } from "#tests/support/ask";
import { appOf, makeUser, type TestUser, testApp } from "#tests/support/factories";
import {
  actorOf,
  joinRoom,
  type Line,
  ROOM_NOW as NOW,
  openLine,
  partsOf,
  runningRoom,
  stubOf,
  useRoomClock,
} from "#tests/support/rooms";
import { sayIn } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { createTickets } from "#workers/adapters/tickets";
import { HOUR, instant, MINUTE, SECOND } from "~/domain/time";
import { viewSession } from "~/use-cases/sessions/views.server";
import { CLOSE, SOCKET_PROTOCOL } from "~/wire/room/room";

const at = useRoomClock();
const running = (...people: TestUser[]) => runningRoom(people, partsOf(7200), 7200);

const pageTicket = async (user: TestUser | null, id: number): Promise<string | null> => {
  const app = user ? await appOf(user) : await testApp();
  return (await viewSession({ ...app, now: instant(Date.now()) }, { session: id })).ticket;
};
const ticketOf = async (user: TestUser, id: number): Promise<string> => {
  const ticket = await pageTicket(user, id);
  if (ticket === null) throw new Error("no ticket");
  return ticket;
};
const offer = (ticket: string) => ({ "Sec-WebSocket-Protocol": `${SOCKET_PROTOCOL}, ${ticket}` });

/** Opens the socket of `id` with a ticket and the cookie of `user`, and counts the calls to D1. */
async function openWith(user: TestUser | null, id: number, ticket: string, query = "") {
  const d1 = vi.spyOn(Object.getPrototypeOf(env.DB) as D1Database, "withSession");
  const line = await openLine(user, id, offer(ticket), query);
  const asked = d1.mock.calls.length;
  d1.mockRestore();
  return { line, asked };
}
const join = (line: Line, user: TestUser, id: number) => {
  line.say({ type: "join", room: id, client_uuid: "c", username: user.username });
  return line.expect("welcome");
};

test("R-26 R6 the page's ticket opens the socket without D1, and the welcome's ticket reopens it for an hour", async () => {
  const { id, host } = await running(await makeUser());
  const ticket = await ticketOf(host, id);
  const first = await openWith(host, id, ticket);
  expect(first.asked).toBe(0);
  const { ticket: again } = await join(first.line, host, id);
  expect(again).toBeDefined();
  at(NOW + 59 * MINUTE);
  const second = await openWith(host, id, again ?? "");
  expect(second.asked).toBe(0);
  // It does not prolong itself.
  expect((await join(second.line, host, id)).ticket).toBeUndefined();
  at(NOW + 61 * MINUTE);
  const third = await openWith(host, id, again ?? "");
  expect(third.asked).toBeGreaterThan(0);
  expect((await join(third.line, host, id)).ticket).toBeDefined();
});

test("R-26 the socket opens by the cookie alone, its welcome has a ticket, and the offered subprotocol is selected", async () => {
  const { id, host } = await running(await makeUser());
  const line = await joinRoom(host, id);
  const { ticket } = await line.expect("welcome");
  expect(decodeJwt(ticket ?? "")).toMatchObject({ kind: "return", session: id, sub: String(host.id) });
  const headers = { Upgrade: "websocket", Origin: ORIGIN, Cookie: `login=${host.loginToken}` };
  const answer = async (more: Record<string, string>) => {
    const response = await ask(`/sessions/${id}/socket`, { headers: { ...headers, ...more } });
    response.webSocket?.accept();
    return response.headers.get("Sec-WebSocket-Protocol");
  };
  expect(await answer({})).toBeNull();
  expect(await answer(offer("nonsense"))).toBe(SOCKET_PROTOCOL);
  expect(await answer(offer(await ticketOf(host, id)))).toBe(SOCKET_PROTOCOL);
});

test("ASVS 9.1.1 A-01 a forged, altered, unsigned, expired or foreign ticket opens nothing, and the cookie decides", async () => {
  const [host, stranger] = [await makeUser(), await makeUser()];
  const { id } = await running(host);
  const other = await running(host);
  const ticket = await ticketOf(host, id);
  const claims = decodeJwt(ticket);
  const signed = (key: Uint8Array, payload = claims) =>
    new SignJWT(payload).setProtectedHeader({ alg: "HS256" }).sign(key);
  const [head = "", body = "", signature = ""] = ticket.split(".");
  const altered = btoa(JSON.stringify({ ...claims, sub: String(stranger.id) })).replace(/=/g, "");
  const foreign = createTickets({ DATA_KEY: btoa("k".repeat(32)) }, false);
  const bad: Record<string, string> = {
    forged: await signed(crypto.getRandomValues(new Uint8Array(32))),
    // The development key of DATA_KEY itself signs no ticket.
    underived: await signed(new TextEncoder().encode("bothy-development-key-not-secret")),
    altered: [head, altered, signature].join("."),
    unsigned: new UnsecuredJWT(claims).encode(),
    "without a signature": `${head}.${body}.`,
    "of another session": await ticketOf(host, other.id),
    "of another server":
      (await foreign?.issue(
        {
          sessionId: id,
          userId: host.id,
          username: host.username,
          timeZone: "UTC",
          loginHash: "0".repeat(64),
        },
        NOW,
      )) ?? "",
    "no ticket": "nonsense",
  };
  for (const [name, one] of Object.entries(bad)) {
    const { line, asked } = await openWith(host, id, one);
    expect(asked, name).toBeGreaterThan(0);
    expect((await join(line, host, id)).type, name).toBe("welcome");
    const refused = await openWith(stranger, id, one);
    expect(await refused.line.closed, name).toEqual({ code: CLOSE.notAllowed });
  }
  // A good ticket counts only beside the cookie of its login, and for the time that it names.
  const theirs = await openWith(stranger, id, ticket);
  expect(theirs.asked).toBeGreaterThan(0);
  expect(await theirs.line.closed).toEqual({ code: CLOSE.notAllowed });
  await expect(openLine(null, id, offer(ticket))).rejects.toThrow("no socket: 401");
  await expect(openLine(host, id, { ...offer(ticket), Origin: "https://evil.example" })).rejects.toThrow(
    "419",
  );
  at(NOW + 61 * SECOND);
  expect((await openWith(host, id, ticket)).asked).toBeGreaterThan(0);
});

test("A-03 R-16 Q-27 spectators, visitors, super admins and ended sessions have no ticket, and a seat's ticket does not watch", async () => {
  const [host, watcher, root] = [await makeUser(), await makeUser(), await makeUser({ roleId: 10 })];
  const { id, room } = await running(host, root);
  const ticket = await ticketOf(host, id);
  for (const user of [null, watcher, root]) expect(await pageTicket(user, id)).toBeNull();
  const asRoot = await joinRoom(root, id);
  expect((await asRoot.expect("welcome")).ticket).toBeUndefined();
  expect((await openWith(host, id, ticket, "?watch=1")).asked).toBeGreaterThan(0);
  // A private session asks D1 again who may watch.
  await env.DB.prepare("UPDATE sessions SET join_code = 'code' WHERE id = ?").bind(id).run();
  expect(await pageTicket(watcher, id)).toBeNull();
  await room.change({ type: "end", by: actorOf(host) });
  expect(await pageTicket(host, id)).toBeNull();
});

test("A-01 Q-15 a ticket issued a second before the removal opens nothing, at the socket and at every call", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await running(host, guest);
  const line = await joinRoom(guest, id);
  const hourly = (await line.expect("welcome")).ticket ?? "";
  const ticket = await ticketOf(guest, id);
  at(NOW + SECOND);
  expect(
    (await callAs(host, "DELETE", `/challenge-events/${id}/participants/${guest.username}`)).status,
  ).toBeLessThan(300);
  expect(await line.closed).toEqual({ code: CLOSE.notAllowed });
  const tries = async () => {
    for (const one of [ticket, hourly]) {
      const { line } = await openWith(guest, id, one);
      expect(await line.closed).toEqual({ code: CLOSE.notAllowed });
      expect(line.heard.map(({ type }) => type)).toEqual(["refused"]);
    }
  };
  await tries();
  await evictDurableObject(stubOf(id));
  await tries();
  await abortAllDurableObjects();
  await tries();
  const said = await sayIn(guest, id);
  const completed = await callAs(guest, "POST", `/challenge-events/${id}/complete`);
  expect([said.status, completed.status]).toEqual([403, 403]);
});

const ENDS: Record<string, (user: TestUser, root: TestUser) => Promise<unknown>> = {
  "signing out": (user) => callAs(user, "POST", "/logout"),
  "a suspension": (user, root) =>
    post(root, `/admin/users/${user.username}`, { intent: "suspend", days: "7", reason: "Spam" }),
};
for (const [name, end] of Object.entries(ENDS))
  test(`A-01 Q-18 after ${name}, a ticket of the ended login opens nothing while it is valid, restarts included`, async () => {
    const [host, guest, root] = [await makeUser(), await makeUser(), await makeUser({ roleId: 10 })];
    const { id } = await running(host, guest);
    const line = await joinRoom(guest, id);
    const hourly = (await line.expect("welcome")).ticket ?? "";
    const ticket = await ticketOf(guest, id);
    await end(guest, root);
    expect(await line.closed).toEqual({ code: CLOSE.signedOut });
    const refused = async (one: string) => {
      const { line } = await openWith(guest, id, one);
      expect(await line.closed).toEqual({ code: CLOSE.signedOut });
    };
    expect((await openWith(guest, id, ticket)).asked).toBe(0);
    await refused(ticket);
    await refused(hourly);
    await evictDurableObject(stubOf(id));
    await refused(hourly);
    await joinRoom(host, id);
    at(NOW + HOUR - SECOND);
    await refused(hourly);
    at(NOW + HOUR + MINUTE);
    await expect(openLine(guest, id, offer(hourly))).rejects.toThrow("401");
  });

test("R-16 a ticket of a session that was closed meanwhile reads its chat, and writes nothing", async () => {
  const { id, host, room } = await running(await makeUser());
  await room.change({ type: "say", by: actorOf(host), content: "hello", nonce: "x" });
  const ticket = await ticketOf(host, id);
  await room.change({ type: "end", by: actorOf(host) });
  const { line } = await openWith(host, id, ticket);
  const welcome = await join(line, host, id);
  const { messages } = await line.expect("history");
  expect(messages.map(({ content }) => content)).toEqual(["hello"]);
  expect(welcome.ticket).toBeUndefined();
  line.say({ type: "message", content: "more", nonce: "y" });
  expect(await line.expect("refused")).toMatchObject({ error_code: "CONFLICT" });
});

test("R-26 the page of a participant carries the ticket, and a server without DATA_KEY issues none", async () => {
  const [host, watcher] = [await makeUser(), await makeUser()];
  const { id } = await running(host);
  const has = async (user: TestUser) =>
    /eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/.test((await visit(user, `/sessions/${id}`)).html);
  expect(await has(host)).toBe(true);
  expect(await has(watcher)).toBe(false);
  expect(createTickets({}, false)).toBeNull();
});
