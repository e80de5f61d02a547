// Asks: every kind of event to people who share nothing with the sender, through its own call.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { errorCodeOf, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { drain, emptySpine, eventRows, spineApp } from "#tests/support/notices";
import { createApp } from "#workers/create-app";
import { type AskKind, EVENTS } from "~/domain/notices/event-rules";
import type { EventKind } from "~/domain/notices/events";
import { DAY, instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { inviteOrMoveHost, removeRotaHost } from "~/use-cases/series/rota.server";

const ASKS_A_DAY = 10;
const WORDS = "Buy at evil.example";
/** Ahead of the machine's clock, so that no counter's alarm rings during a test. */
const NOW = instant(Date.now() + DAY);

type Door = {
  /** Something of the sender to ask people about. */
  subject(sender: TestUser): Promise<number>;
  ask(app: App, subject: number, to: TestUser): Promise<unknown>;
  withdraw(app: App, subject: number, to: TestUser): Promise<unknown>;
};
const DOORS: Record<AskKind, Door> = {
  "rota-invited": {
    subject: async (sender) => {
      const started_at = new Date(NOW + DAY).toISOString();
      const session = { title: WORDS, duration: 3600 };
      const series = { rule: "FREQ=MONTHLY", time_zone: "UTC", started_at, session };
      return (await callAs(sender, "POST", "/api/series", { series })).body.series.id;
    },
    ask: (app, series, { username }) => inviteOrMoveHost(app, { series, username }),
    withdraw: (app, series, { username }) => removeRotaHost(app, { series, username }),
  },
};

async function limited({ loginToken }: TestUser): Promise<App> {
  const asking = { now: NOW, loginToken, ownOrigin: "http://localhost", defer: () => {} };
  return (await createApp({ ...env, RATE_LIMITS: "on" }, asking)).app;
}
const asksOf = async (kind: AskKind) => (await eventRows()).filter((event) => event.kind === kind).length;

beforeEach(async () => {
  await emptySpine();
});

keepBystanders();

test("R-25 every kind that reaches people who share nothing with the sender has its door here", () => {
  const kinds = (Object.keys(EVENTS) as EventKind[]).filter((kind) => EVENTS[kind].reaches === "strangers");
  expect(Object.keys(DOORS)).toEqual(kinds);
});

describe.each(Object.entries(DOORS) as [AskKind, Door][])("%s", (kind, door) => {
  test("Q-04 R-25 an ask needs a confirmed address", async () => {
    const [sender, to] = [await makeUser({ isConfirmed: false }), await makeUser()];
    const subject = await door.subject(sender);
    expect(await errorCodeOf(door.ask(await limited(sender), subject, to))).toBe("FORBIDDEN");
    expect(await asksOf(kind)).toBe(0);
  });

  test("R-25 asks reach ten people a day, over all subjects, and a person who is not found does not count", async () => {
    const sender = await makeUser();
    const app = await limited(sender);
    const subjects = [await door.subject(sender), await door.subject(sender)];
    const people = await makeUsers(ASKS_A_DAY + 1);
    for (let again = 0; again < 3; again++)
      expect(
        await errorCodeOf(door.ask(app, subjects[0] ?? 0, { ...sender, username: "nobody-at-all" })),
      ).toBe("NOT_FOUND");
    const answers: string[] = [];
    for (const [i, to] of people.entries())
      answers.push(await errorCodeOf(door.ask(app, subjects[i % 2] ?? 0, to)));
    expect(answers).toEqual([...Array.from({ length: ASKS_A_DAY }, () => "ok"), "RATE_LIMITED"]);
    expect(await asksOf(kind)).toBe(ASKS_A_DAY);
    // Withdrawing an ask gives none back.
    await door.withdraw(app, subjects[0] ?? 0, people[0] as TestUser);
    expect(await errorCodeOf(door.ask(app, subjects[0] ?? 0, people[0] as TestUser))).toBe("RATE_LIMITED");
  });

  test("R-25 one ask of a person about a subject is open at a time, and a repeat does not count", async () => {
    const [sender, to] = [await makeUser(), await makeUser()];
    const app = await limited(sender);
    const subject = await door.subject(sender);
    for (let again = 0; again < 2 * ASKS_A_DAY; again++)
      expect(await errorCodeOf(door.ask(app, subject, to))).toBe("ok");
    expect(await asksOf(kind)).toBe(1);
  });

  test("R-25 no word of the sender is in the subject of the email", async () => {
    const [sender, to] = [await makeUser(), await makeUser()];
    await door.ask(await limited(sender), await door.subject(sender), to);
    const { app, mails } = await spineApp(NOW);
    await drain(app);
    const mail = mails.find((one) => one.to === to.email);
    expect(mail?.text).toContain(WORDS);
    expect(mail?.subject).not.toContain("evil");
    expect(mail?.subject).not.toContain(sender.username);
  });
});
