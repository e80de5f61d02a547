// The requests that wait for the network, and those that fail at once.
import { expect, test } from "vitest";
import { steadyReloads } from "./steady-reloads";

const SHOWN = "https://bothy.example/my/goals/7?show=open";
const OWN = new URL("https://bothy.example/my/goals/7.data?show=open&_routes=root");

/** Fails or answers in turn, and notes the delays. */
function network(...answers: (number | "lost")[]) {
  const waits: number[] = [];
  let sent = 0;
  const send = steadyReloads(
    () => {
      const answer = answers[sent++];
      if (answer === undefined || answer === "lost") return Promise.reject(new TypeError("Failed to fetch"));
      return Promise.resolve(new Response(null, { status: answer }));
    },
    () => new URL(SHOWN),
    (ms) => Promise.resolve(void waits.push(ms)),
  );
  return { send, waits, sent: () => sent };
}

test("X-07 a reload of the page's data is sent again until it is answered, at growing intervals", async () => {
  const { send, waits } = network("lost", 502, "lost", 503, "lost", 200);
  expect((await send(OWN)).status).toBe(200);
  expect(waits).toEqual([500, 2000, 5000, 15_000, 15_000]);
});

test("X-07 an answer of the product itself, a failure included, is the reload's answer", async () => {
  for (const status of [200, 202, 403, 404, 500])
    expect((await network(status).send(OWN)).status).toBe(status);
});

test.each<[string, URL | string, RequestInit?]>([
  ["of another page", new URL("https://bothy.example/my/goals/8.data?show=open")],
  ["of the same page under another filter", new URL("https://bothy.example/my/goals/7.data?show=all")],
  ["that changes something", OWN, { method: "POST" }],
  ["of a call", "/api/logs/store-quick-log"],
])("X-07 a request %s fails at once", async (_, input, init) => {
  const { send, sent } = network("lost", 200);
  await expect(send(input, init)).rejects.toThrow("Failed to fetch");
  expect(sent()).toBe(1);
});

test("X-07 a reload that the router gives up ends with its abort", async () => {
  const { send, waits } = network("lost");
  const left = new AbortController();
  left.abort();
  await expect(send(OWN, { signal: left.signal })).rejects.toThrow("Failed to fetch");
  expect(waits).toEqual([]);
});
