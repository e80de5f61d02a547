// Both built workers in the production environment, as `npm run deploy` uploads them.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestHarness } from "wrangler";
import { ROOT } from "../../workers/local/processes.mjs";
import { callerOf, signedUp } from "../load/caller.mjs";

const ORIGIN = "https://bothy.example";
const deployed = createTestHarness({
  root: ROOT,
  workers: [
    // The model has no local stand-in.
    { configPath: "wrangler.toml", env: "production", vars: { AI: "" } },
    { configPath: "workers/objects.toml", env: "production" },
  ],
});
const pages = deployed.getWorker<{ DB: D1Database }>("bothy-web");
const objects = deployed.getWorker("bothy");
const send = pages.fetch as unknown as typeof fetch;

beforeAll(async () => {
  await deployed.listen();
  await pages.applyD1Migrations("DB");
}, 120_000);
afterAll(() => deployed.close());

type Person = Awaited<ReturnType<typeof signedUp>>;
type Operation = { type: string } & Record<string, unknown>;

/** The socket of a person, and everything that it has heard. */
async function enter(person: Person, session: number) {
  const { status, webSocket } = await pages.fetch(
    `${ORIGIN}/sessions/${session}/socket?username=${person.username}`,
    { headers: { Upgrade: "websocket", Cookie: person.cookie(), Origin: ORIGIN } },
  );
  if (!webSocket) throw new Error(`No socket: ${status}`);
  const heard: Operation[] = [];
  const closed: number[] = [];
  webSocket.addEventListener("message", ({ data }) => void heard.push(...JSON.parse(String(data))));
  webSocket.addEventListener("close", ({ code }) => void closed.push(code));
  webSocket.accept();
  return {
    say: (message: object) => webSocket.send(JSON.stringify(message)),
    until: (operation: object) =>
      expect.poll(() => heard, { timeout: 20_000 }).toContainEqual(expect.objectContaining(operation)),
    closed: () => closed,
  };
}

async function made(host: Person, challenge: object) {
  const { challenge_event } = await host.call("POST", "/challenge-events", { challenge });
  return challenge_event as { id: number; slug: string };
}
/** Fields that something has, among others. */
const like = (fields: object) => expect.objectContaining(fields);
const statesOf = (...states: string[]) => like({ parts: states.map((state) => like({ state })) });

test("R-26 L-09 Q-14 a room of the deployed workers takes marks, lines and part changes, sleeps, wakes at its alarm and closes the socket of a banned person", async () => {
  const [host, guest] = await Promise.all([signedUp(ORIGIN, "ailsa", send), signedUp(ORIGIN, "ewan", send)]);
  const { id } = await made(host, {
    title: "As deployed",
    is_manually_started: 1,
    parts: [
      {
        uuid: "group",
        parts: [
          { uuid: "short", title: "Short", duration: 3 },
          { uuid: "long", title: "Long", duration: 3600 },
        ],
      },
    ],
  });
  const event = `/challenge-events/${id}`;
  await guest.call("POST", `${event}/join`, {});
  const [hosting, seated] = [await enter(host, id), await enter(guest, id)];
  await hosting.until({ type: "welcome" });

  seated.say({ type: "ready", is_ready: 1 });
  await hosting.until({ type: "participants", participants: [like({ username: "ewan", is_ready: 1 })] });
  await host.call("POST", `${event}/start`, {});
  await seated.until({ type: "status", status: 1 });
  seated.say({ type: "message", content: "Before sleep", nonce: "one" });
  await hosting.until({ type: "message", nonce: "one" });

  // The object leaves memory before the alarm at the end of its first part.
  await objects.evictDurableObject("SessionRoom", { name: String(id), webSockets: "hibernate" });
  await seated.until({ type: "parts", parts: [statesOf("finished", "running")] });
  await host.call("POST", `${event}/parts/long/pause`, {});
  await seated.until({ type: "parts", parts: [statesOf("finished", "paused")] });
  await objects.evictDurableObject("SessionRoom", { name: String(id), webSockets: "hibernate" });
  hosting.say({ type: "message", content: "After sleep", nonce: "two" });
  await seated.until({ type: "message", nonce: "two" });
  const { serverData } = await guest.call("GET", `/api/sessions/${id}/chat`);
  expect(serverData.messages.map(({ content }: { content: string }) => content)).toEqual([
    "Before sleep",
    "After sleep",
  ]);

  await host.call("DELETE", `${event}/participants/ewan`, { keep_out: 1 });
  await expect.poll(seated.closed, { timeout: 20_000 }).toEqual([4403]);
  await expect(guest.call("POST", `${event}/join`, {})).rejects.toThrow("403");
});

test("L-09 the deployed cron wakes a room that missed its start", async () => {
  const host = await signedUp(ORIGIN, "una", send);
  const [now, hour] = [Date.now(), 3_600_000];
  const started_at = new Date(now + hour).toISOString();
  const { id } = await made(host, { title: "By cron", started_at, duration: 3600 });
  const socket = await enter(host, id);
  await socket.until({ type: "welcome" });
  const { DB } = await pages.getEnv();
  const change = DB.prepare("UPDATE sessions SET started_at = ?, ended_at = ? WHERE id = ?");
  await change.bind(now, now + hour, id).run();
  await pages.scheduled({ cron: "*/5 * * * *" });
  await socket.until({ type: "status", status: 1 });
});

test("R-25 the sixth request for a reset mail within an hour is refused, because the workers count together", async () => {
  const stranger = callerOf(ORIGIN, send);
  await stranger.call("GET", "/sanctum/csrf-cookie");
  const ask = () => stranger.call("POST", "/get-password-reset", { email: "nobody@example.com" });
  for (const _ of [1, 2, 3, 4, 5]) await ask();
  await expect(ask()).rejects.toThrow("429");
});
