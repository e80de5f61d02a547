import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { runBatch, schema } from "#db/connect.server";
import { recordAccountChange } from "#db/queries/accounts/change-emails";
import { insertConfirmation } from "#db/queries/accounts/confirmations";
import { recordEvent } from "#db/queries/notices/events";
import { db, makeUser, setUser, userNow } from "#tests/support/factories";
import { deliveryRows, drain, emptySpine, noticeRows, spineApp } from "#tests/support/notices";
import { announce, PLANNED_NOW as NOW, plannedSession } from "#tests/support/planned";
import { post, visit } from "#tests/support/visit";
import { createAttempts } from "#workers/adapters/attempts";
import { USER_ROLE } from "~/domain/roles";
import { DAY, type Instant, instant, MINUTE } from "~/domain/time";
import { accountChangeCause } from "~/use-cases/accounts/change-emails.server";
import { newConfirmation } from "~/use-cases/accounts/confirmations.server";
import type { App } from "~/use-cases/app.server";
import { MailFailure } from "~/use-cases/ports.server";
import { hashToken } from "~/use-cases/tokens.server";
import { newEvent } from "./events.server";

beforeEach(async () => {
  await db.update(schema.sessions).set({ closedAt: NOW });
  await emptySpine();
});

test("N-36 at 80 % of a day's emails digests wait, at 100 % all others but security, until the next day", async () => {
  const start = instant(NOW + 10 * DAY);
  const { id, guest } = await plannedSession(start);
  const { app, mails } = await spineApp(NOW);
  app.settings = { ...app.settings, dailyMailLimit: 5 };
  const at = (now: Instant): App => ({
    ...app,
    now,
    attempts: createAttempts({ ...env, RATE_LIMITS: "on" }, now),
  });
  const today = at(NOW);
  for (let n = 0; n < 2; n++) await announce(at(instant(NOW + n)), id, start);
  await drain(at(instant(NOW + 1)));
  expect(mails).toHaveLength(4);
  const digest = {
    key: `${guest.id}:digest::${NOW}:mail`,
    userId: guest.id,
    kind: "digest" as const,
    subject: "",
    channel: "mail" as const,
    dueAt: NOW,
    state: "waiting" as const,
    at: NOW,
  };
  const body = { title: "A", path: "/a" };
  const lines = [{ kind: "session-cancelled", subject: "session:1", actorId: null, body }];
  await db.insert(schema.deliveries).values({ ...digest, body: { lines } });
  await drain(today);
  const tomorrow = instant((Math.floor(NOW / DAY) + 1) * DAY);
  const waiting = async () => (await deliveryRows()).filter(({ state }) => state === "waiting");
  expect(await waiting()).toMatchObject([{ kind: "digest", dueAt: tomorrow, reason: "daily-limit" }]);
  await announce(at(instant(NOW + 2)), id, start);
  await drain(at(instant(NOW + 2)));
  expect(mails).toHaveLength(5);
  expect((await waiting()).map(({ dueAt }) => dueAt)).toEqual([tomorrow, tomorrow]);
  await drain(at(tomorrow));
  expect(mails).toHaveLength(7);
});

test("N-36 at 100 % of a day's emails news of a fixed kind waits too, and a security email leaves", async () => {
  const user = await makeUser();
  const { app, mails } = await spineApp(NOW);
  app.settings = { ...app.settings, dailyMailLimit: 0 };
  app.attempts = createAttempts({ ...env, RATE_LIMITS: "on" }, NOW);
  const body = { title: "Key", path: "/account/security", endsAt: instant(NOW + DAY), to: [user.id] };
  const keyEnds = newEvent(app, { kind: "key-ends", subject: "key:1", body });
  const used = accountChangeCause(app, "sign-in", "A recovery code was used just now. You have 9 left.");
  await runBatch(db, [recordEvent(db, keyEnds), recordAccountChange(db, used, user.id)]);
  await drain(app);
  const tomorrow = instant((Math.floor(NOW / DAY) + 1) * DAY);
  const rows = (await deliveryRows()).map(({ kind, state, dueAt }) => [kind, state, dueAt > NOW && dueAt]);
  expect(rows.sort()).toEqual([
    ["account-changed", "sent", false],
    ["key-ends", "waiting", tomorrow],
  ]);
  expect(mails.map(({ kind }) => kind)).toEqual(["sign-in-changed"]);
});

test("N-35 two refusals of an address stop its mail, and the account says so until a new confirmation", async () => {
  const start = instant(NOW + 10 * DAY);
  const { id, host, guest } = await plannedSession(start);
  const { app } = await spineApp(NOW);
  app.user = { id: host.id } as App["user"];
  const refusing = { send: () => Promise.reject(new MailFailure("address", "SMTP: Invalid RCPT TO 550")) };
  const failingAt = async () => (await userNow(guest.id))?.mailFailingAt ?? null;
  for (const n of [1, 2]) {
    expect(await failingAt()).toBeNull();
    const at = { ...app, now: instant(NOW + n), mail: refusing };
    await announce(at, id, start);
    await drain(at);
  }
  expect(await failingAt()).toBe(NOW + 2);
  expect((await deliveryRows()).map(({ state, tries }) => [state, tries])).toEqual([
    ["failed", 1],
    ["failed", 1],
  ]);
  await announce({ ...app, now: instant(NOW + 3) }, id, start);
  expect(await deliveryRows()).toHaveLength(2);
  const sentence = `We could not reach ${guest.email}. Please check the address.`;
  expect((await visit(guest, "/account")).html).toContain(sentence);
  expect((await visit(host, "/account")).html).not.toContain("We could not reach");
  expect((await post(host, "/account/confirm-email", { intent: "send" })).status).toBe(409);
  expect((await post(guest, "/account/confirm-email", { intent: "send" })).status).toBe(200);
  const link = await newConfirmation({ ...app, now: instant(Date.now()) }, guest);
  await insertConfirmation(db, { ...link.record, tokenHash: await hashToken("again"), userId: guest.id });
  await post(null, "/account/confirm-email", { intent: "confirm", token: "again" });
  expect(await failingAt()).toBeNull();
  expect((await visit(guest, "/account")).html).not.toContain("We could not reach");
});

test("N-06 Q-29 a super admin sends a failed delivery again, and the audit has a row of it", async () => {
  const start = instant(NOW + 10 * DAY);
  const { id, host, guest } = await plannedSession(start);
  const admin = await makeUser({ roleId: USER_ROLE.superAdmin });
  const { app, mails } = await spineApp(NOW);
  app.user = { id: host.id } as App["user"];
  await announce(app, id, start);
  await db.update(schema.deliveries).set({ state: "failed", tries: 5, reason: "Error: no route" });
  const [row] = await deliveryRows();
  const { html } = await visit(admin, "/admin");
  for (const words of [guest.username, "A session moved or was cancelled", "Error: no route", "Send again"])
    expect(html).toContain(words);
  const again = () => post(admin, "/admin", { intent: "send-again", key: row?.key ?? "" });
  expect((await again()).status).toBe(302);
  expect((await again()).status).toBe(404);
  expect((await visit(admin, "/admin")).html).toContain("Nothing has failed.");
  expect(await deliveryRows()).toMatchObject([{ tries: 0, reason: "" }]);
  await drain(app);
  expect(mails.map(({ to }) => to)).toEqual([guest.email]);
  const acts = await db.select().from(schema.audit).where(eq(schema.audit.actorId, admin.id));
  expect(acts).toMatchObject([
    { action: "delivery-repeated", userId: guest.id, previous: "Error: no route", targetKind: "site" },
  ]);
});

test("N-34 N-15 Q-05 an email about the account waits in the outbox, for neither quiet hours nor a confirmation", async () => {
  const user = await makeUser({ isConfirmed: false });
  await setUser(user.id, { quietFrom: 0, quietTo: 1439, digest: "daily" });
  const { app, mails } = await spineApp(NOW);
  const told = accountChangeCause(app, "sign-in", "A recovery code was used just now. You have 9 left.");
  await runBatch(db, [recordAccountChange(db, told, user.id)]);
  // A thief replaces the address before the email leaves.
  await setUser(user.id, { email: `thief-${user.email}` });
  const down = { send: () => Promise.reject(new Error("no route")) };
  await drain({ ...app, mail: down });
  expect(await deliveryRows()).toMatchObject([{ kind: "account-changed", state: "waiting", tries: 1 }]);
  await drain({ ...app, now: instant(NOW + MINUTE) });
  expect(mails).toMatchObject([{ kind: "sign-in-changed", to: user.email }]);
  expect(mails[0]?.text).toContain("A recovery code was used just now. You have 9 left.");
  expect(mails[0]?.headers).toBeUndefined();
  expect(await noticeRows()).toEqual([]);
});
