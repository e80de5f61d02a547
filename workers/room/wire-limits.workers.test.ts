// The limits of a room's socket that normal use never meets: floods, spectators, counts per person and per address.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { ask, ORIGIN } from "#tests/support/ask";
import { makeUser, type TestUser } from "#tests/support/factories";
import {
  actorOf,
  bareRoom,
  joinRoom,
  ROOM_NOW as NOW,
  openLine,
  partsOf,
  runningRoom,
  stubOf,
  useRoomClock,
  watchRoom,
} from "#tests/support/rooms";
import { SECOND } from "~/domain/time";
import { MESSAGE_LIMIT } from "~/wire/room/room";
import { SessionRoom } from "./session-room";

const at = useRoomClock();

const running = (...people: TestUser[]) => runningRoom(people, partsOf(60, 60), 600);

test("R-25 R-26 an unknown message closes the socket, and nothing is accepted before joining", async () => {
  const { id, host, room } = await running(await makeUser());
  for (const raw of [
    "hello",
    "[]",
    "null",
    '{"type":"become-host"}',
    '{"type":"message","content":5,"nonce":"a"}',
    `{"type":"message","nonce":"a","content":"${"x".repeat(MESSAGE_LIMIT)}"}`,
  ]) {
    const line = await joinRoom(host, id);
    line.socket.send(raw);
    expect((await line.closed).code).toBe(4400);
  }
  const early = await openLine(host, id);
  early.say({ type: "message", content: "Hi", nonce: "a" });
  expect(await early.expect("refused")).toMatchObject({ error_code: "FORBIDDEN", nonce: "a" });
  expect(await room.messages({ limit: 5 })).toEqual([]);
});

test("R-25 a flood closes the sender's socket, and a person's open pages are limited", async () => {
  const { id, host } = await running(await makeUser());
  await runInDurableObject(stubOf(id), (_, ctx) => {
    const { sockets } = bareRoom(ctx, { isLimited: true });
    const speak = (times: number) => {
      const [, server] = Object.values(new WebSocketPair()) as [WebSocket, WebSocket];
      sockets.accept(server, { userId: 1, username: "u1", isSuperAdmin: false, loginHash: "", network: "" });
      return Array.from({ length: times }, () => sockets.takeMessage(server)).filter((may) => may).length;
    };
    expect(speak(60)).toBe(40);
    at(NOW + SECOND);
    expect(speak(10)).toBe(10);
  });
  const lines = [];
  for (let i = 0; i < 13; i++) lines.push(await joinRoom(host, id));
  expect((await lines[0]?.closed)?.code).toBe(4429);
  lines.at(-1)?.say({ type: "message", content: "Hi", nonce: "a" });
  await lines[1]?.expect("message");
});

test("L-02 ping is answered without waking the room", async () => {
  const { id, host } = await running(await makeUser());
  const line = await joinRoom(host, id);
  const pong = new Promise((resolve) => {
    line.socket.addEventListener("message", (event) => event.data === "pong" && resolve("pong"));
  });
  line.socket.send("ping");
  expect(await pong).toBe("pong");
});

test("L-06 the room closes its end of a connection that broke without a close code", async () => {
  const { id, host } = await running(await makeUser());
  const line = await joinRoom(host, id);
  await runInDurableObject(stubOf(id), (room: SessionRoom, ctx) => {
    for (const socket of ctx.getWebSockets()) room.webSocketClose(socket, 1006);
  });
  expect(await line.closed).toEqual({ code: 1000 });
});

test("R-16 spectators, signed in or not, receive timers and presence, never chat or logs", async () => {
  const { id, host, room } = await running(await makeUser(), await makeUser());
  await room.change({ type: "say", by: actorOf(host), content: "Among us", nonce: "a" });
  const lines = [await watchRoom(id), await watchRoom(id, await makeUser()), await watchRoom(id, host)];
  for (const line of lines)
    expect(await line.expect("welcome")).toMatchObject({
      is_whole: 1,
      room: { status: 1 },
    });
  const joined = await joinRoom(host, id);
  joined.say({ type: "message", content: "Still among us", nonce: "b" });
  joined.say({ type: "typing" });
  await joined.expect("message");
  await room.change({ type: "control-part", by: actorOf(host), partId: "p1", action: "pause" });
  for (const line of lines) {
    const { parts } = await line.expect("parts");
    expect(parts[0]?.parts[0]).toMatchObject({ state: "paused" });
    await line.expect("online", (op) => op.online.includes(host.username));
    expect(JSON.stringify(line.heard)).not.toContain("mong us");
    for (const type of ["typing", "history"]) expect(line.heard.map((op) => op.type)).not.toContain(type);
  }
  // The room does not count spectators as present, even after hibernation, and accepts no message from them.
  expect((await room.view()).online).toEqual([host.username]);
  await evictDurableObject(stubOf(id));
  await room.change({ type: "control-part", by: actorOf(host), partId: "p1", action: "resume" });
  for (const line of lines) {
    await line.expect("parts", ({ parts }) => parts[0]?.parts[0]?.state === "running");
    line.say({ type: "join", room: id, client_uuid: "c", username: host.username });
    expect((await line.closed).code).toBe(4400);
  }
  expect(
    (await ask(`/sessions/${id}/socket`, { headers: { Upgrade: "websocket", Origin: ORIGIN } })).status,
  ).toBe(401);
  expect(
    (await ask("/sessions/999999/socket?watch=1", { headers: { Upgrade: "websocket", Origin: ORIGIN } }))
      .status,
  ).toBe(404);
});

test("R-16 a spectator continues to hear the room when a participant closes the page", async () => {
  const { id, host } = await running(await makeUser());
  const [joined, watching] = [await joinRoom(host, id), await watchRoom(id)];
  await watching.expect("welcome");
  joined.socket.close(1000);
  await watching.expect("online", ({ offline }) => offline.includes(host.username));
});

test("R-25 a room takes a thousand spectators, a leaver makes room, and no participant is refused", async () => {
  const { id } = await running(await makeUser());
  await runInDurableObject(stubOf(id), (_, ctx) => {
    const { sockets } = bareRoom(ctx, { isLimited: true });
    const pair = () => Object.values(new WebSocketPair()) as [WebSocket, WebSocket];
    let n = 0;
    const watch = () => {
      const [, server] = pair();
      return { server, isLetIn: sockets.acceptSpectator(server, `10.0.0.${n++ % 250}`) };
    };
    const crowd = Array.from({ length: 1000 }, watch);
    expect(crowd.every(({ isLetIn }) => isLetIn)).toBe(true);
    expect(watch().isLetIn).toBe(false);
    const [, seated] = pair();
    sockets.accept(seated, {
      userId: 1,
      username: "seated",
      isSuperAdmin: false,
      loginHash: "",
      network: "",
    });
    expect(sockets.of(seated)?.username).toBe("seated");
    const [first] = crowd;
    if (first) sockets.close(first.server, 1000, "");
    expect(watch().isLetIn).toBe(true);
    expect(watch().isLetIn).toBe(false);
    // A woken room counts the sockets that stayed open.
    expect(bareRoom(ctx, { isLimited: true }).sockets.acceptSpectator(pair()[1], "")).toBe(false);
    sockets.closeAll(1000, "");
  });
});

test("A-03 a super admin without a seat may not join the room's socket", async () => {
  const { id } = await running(await makeUser());
  const root = await makeUser({ roleId: 10 });
  const line = await openLine(root, id);
  line.say({ type: "join", room: id, client_uuid: "c", username: root.username });
  expect((await line.closed).code).toBe(4403);
});

/** The room with its limits on, over the same storage. */
const withLimits = <T>(id: number, work: (room: SessionRoom) => Promise<T>): Promise<T> =>
  runInDurableObject(stubOf(id), (_, ctx) =>
    work(new SessionRoom(ctx, { ...env, RATE_LIMITS: "on" } as never)),
  );

test("R-25 a socket joins once, and a repeated join brings no second welcome", async () => {
  const { id, host } = await running(await makeUser());
  const line = await joinRoom(host, id);
  for (let n = 0; n < 30; n++)
    line.say({ type: "join", room: id, client_uuid: "c", username: host.username });
  await expect.poll(() => line.heard.filter((op) => op.type === "refused").length).toBe(30);
  expect(line.heard.filter((op) => op.type === "welcome")).toHaveLength(1);
  expect(await line.expect("refused")).toMatchObject({ error_code: "CONFLICT" });
  // The socket still works.
  line.say({ type: "message", content: "Still here", nonce: "n" });
  await line.expect("message");
});

test("R-25 messages and welcomes are counted per person, not per socket", async () => {
  const { id } = await running(await makeUser());
  await runInDurableObject(stubOf(id), (_, ctx) => {
    const { sockets } = bareRoom(ctx, { isLimited: true });
    const open = (userId: number) => {
      const [, socket] = Object.values(new WebSocketPair()) as [WebSocket, WebSocket];
      sockets.accept(socket, {
        userId,
        username: `u${userId}`,
        isSuperAdmin: false,
        loginHash: "",
        network: "",
      });
      return socket;
    };
    const own = Array.from({ length: 10 }, () => open(1));
    const said = Array.from({ length: 60 }, (_, n) => own[n % 5] as WebSocket);
    expect(said.filter((socket) => sockets.takeMessage(socket))).toHaveLength(40);
    expect(sockets.takeMessage(open(2))).toBe(true);
    const asked = Array.from({ length: 50 }, () => {
      const socket = open(4);
      return sockets.takePeopleRequest(socket, sockets.of(socket) as never);
    });
    expect(asked.filter(Boolean)).toHaveLength(40);
    const join = () => {
      const socket = open(3);
      const listener = sockets.of(socket);
      return listener !== null && sockets.join(socket, listener, "u3");
    };
    expect(Array.from({ length: 50 }, join).filter(Boolean)).toHaveLength(40);
    at(NOW + 10 * SECOND);
    expect(join()).toBe(true);
    sockets.closeAll(1000, "");
  });
});

test("R-25 a ready mark changes at most twice a second, and a change without effect is not counted", async () => {
  const [guest, other] = [await makeUser(), await makeUser()];
  const { id } = await running(await makeUser(), guest, other);
  await withLimits(id, async (room) => {
    const flip = async (user: TestUser, isReady: boolean) => {
      const answer = await room.change(id, { type: "set-ready", by: actorOf(user), isReady });
      return answer.ok ? "ok" : answer.code;
    };
    const before = await room.view(id);
    expect([await flip(guest, true), await flip(guest, true), await flip(guest, false)]).toEqual([
      "ok",
      "ok",
      "ok",
    ]);
    for (let n = 0; n < 20; n++) expect(await flip(guest, true)).toBe("RATE_LIMITED");
    expect(await flip(other, true)).toBe("ok");
    const after = await room.view(id);
    expect(before.ok && after.ok && after.value.state.seq - before.value.state.seq).toBe(3);
    at(NOW + SECOND);
    expect(await flip(guest, true)).toBe("ok");
  });
});

test("R-25 an address has twenty spectators' sockets, and closing a socket makes room, even after hibernation", async () => {
  const { id, host } = await running(await makeUser());
  const watch = (address: string) => openLine(null, id, { "CF-Connecting-IP": address }, "?watch=1");
  const lines = [];
  for (let n = 0; n < 20; n++) lines.push(await watch("203.0.113.7"));
  for (const line of lines) await line.expect("welcome");
  expect((await (await watch("203.0.113.7")).closed).code).toBe(4429);
  await (await watch("203.0.113.8")).expect("welcome");
  await evictDurableObject(stubOf(id));
  expect((await (await watch("203.0.113.7")).closed).code).toBe(4429);
  lines[0]?.socket.close(1000);
  await lines[0]?.closed;
  await (await watch("203.0.113.7")).expect("welcome");
  // All IPv6 addresses of a household count as one address.
  const home = [];
  for (let n = 0; n < 20; n++) home.push(await watch(`2001:db8:1:2::${n}`));
  expect((await (await watch("2001:db8:1:2:9::9")).closed).code).toBe(4429);
  // Participants have their own limits.
  await (await joinRoom(host, id)).expect("welcome");
});

test("R-16 an operation not listed for everybody reaches only participants", async () => {
  const { id, host } = await running(await makeUser());
  const [joined, watching] = [await joinRoom(host, id), await watchRoom(id)];
  await watching.expect("welcome");
  const { frames } = watching;
  await runInDurableObject(stubOf(id), (_, ctx) => {
    const { frames } = bareRoom(ctx);
    frames.broadcast([{ type: "added-later", secret: "Among us" } as never]);
    frames.broadcast([{ type: "summary", seq: 99, summary: "For everybody" }]);
    frames.flush();
  });
  await joined.expect("added-later" as never);
  // This later operation arrived, so the earlier one was skipped.
  await watching.expect("summary");
  expect(JSON.stringify(watching.heard)).not.toContain("Among us");
  // Not even an empty frame says that there was something.
  expect(watching.frames).toBe(frames + 1);
});
