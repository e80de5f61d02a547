// Notifying rooms: retries after a failure, and a log line at the end.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AppError } from "~/domain/errors";
import { RELEASE } from "~/domain/log-line";
import type { App } from "./app.server";
import { notifyRoom } from "./notify-room.server";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Notifies a room with the given answers, and returns the number of calls. */
async function told(...answers: (Error | null)[]): Promise<number> {
  let asked = 0;
  let work: Promise<unknown> = Promise.resolve();
  const refresh = async () => {
    const answer = answers[Math.min(asked++, answers.length - 1)];
    if (answer) throw answer;
  };
  const app = {
    rooms: { of: () => ({ refresh }) },
    defer: (deferred: Promise<unknown>) => {
      work = deferred;
    },
  } as unknown as App;
  notifyRoom(app, 7);
  await vi.runAllTimersAsync();
  await work;
  return asked;
}
const lost = new Error("the room died");

test("L-06 a room that does not answer is called again", async () => {
  const lines = vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await told(null)).toBe(1);
  expect(await told(lost, lost, null)).toBe(3);
  expect(lines).not.toHaveBeenCalled();
});

test("L-06 a room that never answers leaves a typed line in the log", async () => {
  const lines = vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await told(lost)).toBe(3);
  expect(lines.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
    { event: "room-not-told", session: 7, error: "Error: the room died", release: RELEASE },
  ]);
});

test("L-06 the room of a deleted session is called once, and nothing is logged", async () => {
  const lines = vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await told(new AppError("NOT_FOUND"))).toBe(1);
  expect(lines).not.toHaveBeenCalled();
});
