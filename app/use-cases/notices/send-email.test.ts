// How often an email outside the outbox is tried.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RELEASE } from "~/domain/log-line";
import type { App } from "~/use-cases/app.server";
import { type Email, MailFailure } from "~/use-cases/ports.server";
import { sendEmail } from "./send-email.server";

const message: Email = { kind: "reset", to: "ada@example.com", subject: "s", html: "h", text: "t" };
let lines: string[];

beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Sends to a mail that fails with each of these in turn, then accepts; returns the number of tries. */
async function triesAt(...failures: Error[]): Promise<number> {
  let tries = 0;
  const send = async () => {
    const failure = failures[tries++];
    if (failure) throw failure;
  };
  const sent = sendEmail({ mail: { send }, settings: { dailyMailLimit: null } } as unknown as App, message);
  await vi.runAllTimersAsync();
  await sent;
  return tries;
}

test("N-34 an email with a secret link is tried three times, and only the last failure is logged", async () => {
  const failure = new MailFailure("failed", "SMTP: 451");
  expect(await triesAt()).toBe(1);
  expect(await triesAt(failure, new Error("no network"))).toBe(3);
  expect(lines).toEqual([]);
  expect(await triesAt(failure, failure, failure, failure)).toBe(3);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { event: "mail-failed", kind: "reset", error: "MailFailure: SMTP: 451", release: RELEASE },
  ]);
});

test("N-34 a refused address and a server without mail get a single try", async () => {
  expect(await triesAt(new MailFailure("address", "SMTP: Invalid RCPT TO 550"))).toBe(1);
  expect(await triesAt(new MailFailure("unset", "unset"))).toBe(1);
  expect(lines).toHaveLength(2);
});
