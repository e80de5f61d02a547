// The service worker's part in the outbox: presses on the one-press page, whose stored copy has no scripts (W-03).
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";

const ORIGIN = "https://bothy.example";
const PATH = "/my/goals/7/log";
const HELD = JSON.stringify({ goal_id: 7, ql_button_uuid: "ten" });
const pageWith = (uuid: string) =>
  `<p data-waits="" hidden="">You are offline.</p><form><input type="hidden" name="uuid" value="${uuid}"/></form>`;
const uuidIn = (html: string) => /name="uuid" value="([^"]*)"/.exec(html)?.[1] ?? "";

type Worker = {
  /** The entries of the outbox. */
  held: { body: { uuid: string }; by: string; day: string }[];
  navigate(path: string, fields?: Record<string, string>): Promise<string>;
};

/** A worker that has stored the page of "ada"; `reaches`: the server's part of each request, before the network drops. */
function startWorker(reaches: (request: Request) => Promise<void> = async () => {}): Worker {
  const held: Worker["held"] = [];
  const listeners: Record<string, (event: object) => void> = {};
  const stored: Record<string, string> = { [PATH]: pageWith("stored"), "/offline": "You are still offline." };
  const answerOf = async (key: string) =>
    stored[key] === undefined ? undefined : new Response(stored[key], { headers: { "X-Stored": "1" } });
  const request = <Result>(result: Result) => {
    const asked = { result, onsuccess: () => {}, oncomplete: () => {} };
    queueMicrotask(() => asked.onsuccess());
    return asked;
  };
  const self = {
    addEventListener: (name: string, listener: (event: object) => void) => {
      listeners[name] = listener;
    },
    location: new URL(ORIGIN),
  };
  runInNewContext(readFileSync("public/sw.js", "utf8"), {
    ...{ self, URL, Request, Response, Intl, Date, JSON, Promise, crypto, atob, console },
    caches: {
      keys: async () => ["pages:ada", "offline-1"],
      open: async () => ({ match: answerOf }),
      match: answerOf,
    },
    indexedDB: {
      open: () =>
        request({
          close: () => {},
          transaction: () => {
            const transaction = {
              oncomplete: () => {},
              objectStore: () => ({ add: (entry: Worker["held"][number]) => held.push(entry) }),
            };
            setImmediate(() => transaction.oncomplete());
            return transaction;
          },
        }),
    },
    BroadcastChannel: class {
      postMessage() {}
      close() {}
    },
    fetch: async (sent: Request) => {
      await reaches(sent);
      throw new TypeError("The network dropped.");
    },
  });
  return {
    held,
    async navigate(path, fields) {
      const init = fields ? { method: "POST", body: new URLSearchParams(fields) } : {};
      const request = new Request(ORIGIN + path, init);
      Object.defineProperty(request, "mode", { value: "navigate" });
      let answer: Promise<Response> | undefined;
      listeners.fetch?.({
        request,
        waitUntil: () => {},
        respondWith: (response: Promise<Response>) => {
          answer = response;
        },
      });
      return (await answer)?.text() ?? "";
    },
  };
}
const press = (uuid: string) => ({
  intent: "log.quick",
  uuid,
  held: HELD,
  about: "Read",
  words: "10 pages",
  zone: "Europe/Oslo",
});

test("W-03 W-05 a press whose answer is lost waits under the uuid that the server has stored", async () => {
  const server: (string | null)[] = [];
  const worker = startWorker(async (request) => {
    server.push(String((await request.formData()).get("uuid")));
  });
  const html = await worker.navigate(PATH, press("first"));
  expect(html).toContain('role="status"');
  expect(server).toEqual(["first"]);
  expect(worker.held).toMatchObject([
    { by: "ada", body: { goal_id: 7, ql_button_uuid: "ten", uuid: "first" } },
  ]);
});

test("W-03 the page after a press without a network, and the stored one, have a press of their own", async () => {
  const worker = startWorker();
  const first = uuidIn(await worker.navigate(PATH));
  const second = uuidIn(await worker.navigate(PATH, press(first)));
  const third = uuidIn(await worker.navigate(PATH, press(second)));
  expect(new Set(["stored", first, second, third]).size).toBe(4);
  expect(worker.held.map(({ body }) => body.uuid)).toEqual([first, second]);
});

test("W-03 another press than a log is not kept, and reads that there is no network", async () => {
  const worker = startWorker();
  expect(await worker.navigate(PATH, { intent: "log.delete", log: "3" })).toBe("You are still offline.");
  expect(worker.held).toEqual([]);
});
