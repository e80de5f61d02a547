// The order of the outbox, and the meaning of each refusal for the entries behind it.
import { expect, test } from "vitest";
import type { ErrorCode } from "~/domain/errors";
import * as paths from "~/wire/paths";
import { type Entry, isTooOld, type Refusal, sendInOrder, TOO_OLD } from "./sending";

const TODAY = "2026-11-29";

/** An outbox in memory, before a server that stores each uuid once. */
function outboxOf(entries: { uuid: string; day?: string; isRefused?: boolean }[]) {
  let waiting: Entry[] = entries.map(({ uuid, day = TODAY, isRefused = false }, index) => ({
    id: index + 1,
    by: "ada",
    call: paths.storeQuickLog,
    body: { uuid },
    about: "Read",
    words: "+1 page",
    day,
    refusal: null,
    isRefused,
  }));
  const server: string[] = [];
  const sent: string[] = [];
  const refusals = new Map<string, Refusal>();
  const uuidOf = (entry: Entry) => String(entry.body.uuid);
  return {
    server,
    sent,
    refusals,
    waiting: () => waiting.map((entry) => [uuidOf(entry), entry.refusal, entry.isRefused]),
    /** `losesAnswerOf`: the server stores the log, and the network drops its answer. */
    send: ({ losesAnswerOf = "", mayGoOn = (): boolean => true } = {}) =>
      sendInOrder({
        today: TODAY,
        canSend: mayGoOn,
        list: async () => waiting,
        async send(entry) {
          const uuid = uuidOf(entry);
          sent.push(uuid);
          const refusal = refusals.get(uuid);
          if (refusal) return { refusal };
          if (!server.includes(uuid)) server.push(uuid);
          if (uuid === losesAnswerOf)
            return { refusal: { code: "SERVER_ERROR", message: "No answer.", isAnswered: false } };
          return { answer: { uuid } };
        },
        async remove({ id }) {
          waiting = waiting.filter((entry) => entry.id !== id);
        },
        async refuse({ id }, refusal, isRefused) {
          waiting = waiting.map((entry) => (entry.id === id ? { ...entry, refusal, isRefused } : entry));
        },
      }),
  };
}
const refusal = (code: ErrorCode, isAnswered = true): Refusal => ({ code, message: code, isAnswered });

test("W-05 entries are sent in their order, and none is left", async () => {
  const outbox = outboxOf([{ uuid: "a" }, { uuid: "b" }, { uuid: "c" }]);
  const stored = await outbox.send();
  expect([outbox.server, outbox.waiting(), stored.map(({ answer }) => answer)]).toEqual([
    ["a", "b", "c"],
    [],
    [{ uuid: "a" }, { uuid: "b" }, { uuid: "c" }],
  ]);
});

test("W-05 an entry whose answer is lost stops the sending, and the next one stores it once", async () => {
  const outbox = outboxOf([{ uuid: "a" }, { uuid: "b" }, { uuid: "c" }]);
  await outbox.send({ losesAnswerOf: "b" });
  // The network's own failure is no refusal.
  expect([outbox.sent, outbox.waiting()]).toEqual([
    ["a", "b"],
    [
      ["b", null, false],
      ["c", null, false],
    ],
  ]);
  await outbox.send();
  expect([outbox.server, outbox.waiting()]).toEqual([["a", "b", "c"], []]);
});

test("W-05 too few tokens keep the entry for the next sending, and the rest goes on", async () => {
  const outbox = outboxOf([{ uuid: "a" }, { uuid: "b" }]);
  outbox.refusals.set("a", refusal("INSUFFICIENT_TOKENS"));
  await outbox.send();
  expect([outbox.server, outbox.waiting()]).toEqual([["b"], [["a", "INSUFFICIENT_TOKENS", false]]]);
  outbox.refusals.clear();
  await outbox.send();
  expect([outbox.server, outbox.waiting()]).toEqual([["b", "a"], []]);
});

test("W-05 a refused entry shows its sentence and is not sent again by itself, and the rest goes on", async () => {
  const outbox = outboxOf([{ uuid: "a" }, { uuid: "b" }]);
  outbox.refusals.set("a", refusal("NOT_FOUND"));
  await outbox.send();
  await outbox.send();
  expect([outbox.sent, outbox.waiting()]).toEqual([["a", "b"], [["a", "NOT_FOUND", true]]]);
});

test.each(["UNAUTHENTICATED", "RATE_LIMITED", "CSRF_MISMATCH", "SERVER_ERROR"] as const)(
  "W-05 nothing is sent after %s, and every entry waits",
  async (code) => {
    const outbox = outboxOf([{ uuid: "a" }, { uuid: "b" }]);
    outbox.refusals.set("a", refusal(code));
    await outbox.send();
    expect([outbox.sent, outbox.waiting()]).toEqual([
      ["a"],
      [
        ["a", code, false],
        ["b", null, false],
      ],
    ]);
  },
);

test("R-58 W-05 nothing more is sent once another account may be signed in", async () => {
  const outbox = outboxOf([{ uuid: "a" }, { uuid: "b" }]);
  let asked = 0;
  await outbox.send({ mayGoOn: () => ++asked === 1 });
  expect([outbox.sent, outbox.waiting()]).toEqual([["a"], [["b", null, false]]]);
});

test("W-05 a day more than 30 days back is refused without being sent, and the rest goes on", async () => {
  const outbox = outboxOf([
    { uuid: "a", day: "2026-10-29" },
    { uuid: "b", day: "2026-10-30" },
  ]);
  await outbox.send();
  expect([outbox.sent, outbox.waiting()]).toEqual([["b"], [["a", TOO_OLD, true]]]);
  expect(["2026-10-30", "2026-10-29", "2026-12-01"].map((day) => isTooOld(day, TODAY))).toEqual([
    false,
    true,
    false,
  ]);
});
