// Stopping a kind of email by the link in its headers (N-29 to N-31).
import { beforeEach, expect, test } from "vitest";
import { runBatch, schema } from "#db/connect.server";
import { recordEvent } from "#db/queries/notices/events";
import { ask } from "#tests/support/ask";
import { db, makeUser, NOW, type TestUser } from "#tests/support/factories";
import { deliveryRows, drain, emptySpine, spineApp } from "#tests/support/notices";
import type { EventKind } from "~/domain/notices/events";
import { instant } from "~/domain/time";
import { newEvent } from "./events.server";
import { unsubscribeHeaders } from "./unsubscribe.server";

beforeEach(() => emptySpine());

/** Sends this user the email of a cancelled session; `n` tells events apart. */
async function mailTo(user: TestUser, kind: "session-cancelled", n = 1) {
  const { app, mails } = await spineApp(instant(NOW + n * 60_000));
  const bodies = {
    "session-cancelled": {
      title: "Morning pages",
      path: "/sessions/1",
      startedAt: NOW,
      to: [user.id],
      payers: [],
    },
  };
  const event = newEvent(app, { kind, subject: `x:${n}`, body: bodies[kind] as never });
  await runBatch(db, [recordEvent(db, event as never)]);
  await drain(app);
  return mails[0];
}
const linkOf = (headers: Record<string, string> | undefined) =>
  /^<http:\/\/127\.0\.0\.1:8787(\/\S+)>$/.exec(headers?.["List-Unsubscribe"] ?? "")?.[1] ?? "";
const settings = () => db.select().from(schema.noticeSettings);
/** Presses the link as a mail provider does: without cookie, token or an Origin of ours. */
const press = (path: string, headers: Record<string, string> = {}) =>
  ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
    body: "List-Unsubscribe=One-Click",
  });

test("N-29 N-30 a notice's email has both parts, a main link, a footer and the headers of one-click unsubscribing", async () => {
  const mail = await mailTo(await makeUser(), "session-cancelled");
  expect(mail?.headers?.["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
  expect(linkOf(mail?.headers)).toMatch(/^\/account\/unsubscribe\/\d+\.session-changed\.[\w-]{43}$/);
  const footer =
    /You get this because you [^.]+\. Change what we send you: http:\/\/127\.0\.0\.1:8787\/account/;
  expect(mail?.text).toMatch(footer);
  expect(mail?.html).toContain("Change what we send you");
  expect(mail?.html.match(/display:inline-block/g)).toHaveLength(1);
  expect(mail?.html).not.toMatch(/<img|<link|url\(/);
});

test("N-30 kinds that nobody can switch off carry no such header", async () => {
  const { app } = await spineApp(NOW);
  expect(await unsubscribeHeaders(app, 1, "moderation")).toEqual({});
  expect(await unsubscribeHeaders({ ...app, vault: null }, 1, "reply")).toEqual({});
});

test("N-31 a press without login, token or origin stops only that kind's mail, and at once", async () => {
  const user = await makeUser();
  const path = linkOf((await mailTo(user, "session-cancelled"))?.headers);
  expect((await press(path)).status).toBe(200);
  expect(await settings()).toEqual([{ userId: user.id, kind: "session-changed", channel: "mail", value: 0 }]);
  expect((await press(path, { Origin: "https://mail.example", "Sec-Fetch-Site": "cross-site" })).status).toBe(
    200,
  );
  expect(await settings()).toHaveLength(1);
  expect(await mailTo(user, "session-cancelled", 2)).toBeUndefined();
});

test("N-31 an email that waits when its kind is stopped is dropped", async () => {
  const user = await makeUser();
  const path = linkOf((await mailTo(user, "session-cancelled"))?.headers);
  const [sent] = await deliveryRows();
  if (!sent) throw new Error("no delivery");
  await db
    .insert(schema.deliveries)
    .values({ ...sent, key: `${sent.key}-2`, state: "waiting", leaseUntil: null });
  await press(path);
  const { app, mails } = await spineApp(instant(NOW + 1e6));
  await drain(app);
  expect(mails).toEqual([]);
  expect((await deliveryRows()).find(({ key }) => key.endsWith("-2"))).toMatchObject({
    state: "dropped",
    reason: "channel-off",
  });
});

test("N-31 the digest's link stops every kind in the digest", async () => {
  const user = await makeUser();
  const { app } = await spineApp(NOW);
  const path = linkOf(await unsubscribeHeaders(app, user.id, "digest"));
  expect((await press(path)).status).toBe(200);
  const kinds: EventKind[] | string[] = (await settings()).map(({ kind }) => kind);
  expect(kinds).toContain("reply");
  expect(kinds).not.toContain("session-reminder");
});

test("N-31 a GET shows a button and changes nothing", async () => {
  const user = await makeUser();
  const { app } = await spineApp(NOW);
  const path = linkOf(await unsubscribeHeaders(app, user.id, "reply"));
  const page = await ask(path);
  expect(page.status).toBe(200);
  expect(await page.text()).toMatch(
    /A reply to your post[\s\S]*<button[^>]*type="submit"[\s\S]*Stop these emails/,
  );
  expect(await settings()).toEqual([]);
});

test("N-31 a forged token is NOT_FOUND, on GET and on POST", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const { app } = await spineApp(NOW);
  const path = linkOf(await unsubscribeHeaders(app, user.id, "reply"));
  const flipped = path.replace(/.{2}$/, (end) => (end === "AA" ? "BA" : "AA"));
  const forged = [
    path.replace(`${user.id}.`, `${other.id}.`),
    path.replace(".reply.", ".mention."),
    path.replace(".reply.", ".moderation."),
    flipped,
    path.slice(0, -1),
    "/account/unsubscribe/none",
  ];
  for (const address of forged) {
    expect((await ask(address)).status, address).toBe(404);
    expect((await press(address)).status, address).toBe(404);
  }
  expect(await settings()).toEqual([]);
});

test("R-52 every other form still needs our own origin", async () => {
  for (const path of ["/account", "/account/unsubscribe", "/account/confirm-email", "/auth/logout"])
    expect((await press(path, { Origin: "https://mail.example" })).status, path).toBe(419);
});
