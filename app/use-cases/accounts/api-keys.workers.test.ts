// Personal keys: what they open, and everything that ends them (O-01 to O-09).
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { PASSWORD, registered } from "#tests/support/accounts";
import { ask } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import {
  appOf,
  db,
  errorCodeOf,
  makeUser,
  NOW,
  setUser,
  type TestUser,
  testApp,
} from "#tests/support/factories";
import { openPage, post as postForm, standsIn } from "#tests/support/forms";
import { drain } from "#tests/support/notices";
import { post, visit } from "#tests/support/visit";
import { KEY_PATTERN, maskKeys } from "~/domain/accounts/api-keys";
import { logLine } from "~/domain/log-line";
import { USER_ROLE } from "~/domain/roles";
import { DAY, HOUR, instant, MINUTE } from "~/domain/time";
import { deleteDueAccounts } from "~/use-cases/delete-accounts.server";
import { exportRows } from "~/use-cases/export-rows.server";
import { fileReport } from "~/use-cases/safety/reports.server";
import { suspendUser } from "~/use-cases/safety/suspensions.server";
import { hashToken } from "~/use-cases/tokens.server";
import { deleteExpiredRows } from "~/use-cases/upkeep.server";
import {
  createKey,
  findUserByKey,
  isWellFormed,
  revokeKey,
  viewKeys,
  warnOfEndingKeys,
} from "./api-keys.server";
import { restoreAddress } from "./confirmations.server";
import { askForDeletion } from "./deletion.server";
import { endOtherLogins } from "./login-list.server";
import { changePassword, resetPassword } from "./passwords.server";

const input = { name: "My script", scopes: ["read", "write"] as const, days: 30 };
const keysOf = (userId: number) => db.select().from(schema.apiKeys).where(eq(schema.apiKeys.userId, userId));
const live = async (key: string, at = NOW as number) =>
  (await findUserByKey(db, key, instant(at), () => {}))?.user.id ?? null;

const writesToEverybody = keepBystanders();

test("O-01 a key needs a name of 1 to 60 characters, a scope, one of three lives, and a confirmed address", async () => {
  const user = await makeUser();
  const form = { intent: "key.create", name: "a".repeat(60), scopes: "read", days: "365" };
  const refused = async (over: Record<string, string>) =>
    (await post(user, "/account/api", { ...form, ...over })).status;
  expect(await refused({ name: " " })).toBe(422);
  expect(await refused({ name: "a".repeat(61) })).toBe(422);
  expect(await refused({ days: "31" })).toBe(422);
  expect(await refused({ scopes: "none" })).toBe(422);
  expect(await keysOf(user.id)).toEqual([]);
  const done = await post(user, "/account/api", form);
  expect(done.status).toBe(200);
  const [row] = await keysOf(user.id);
  expect((row?.expiresAt ?? 0) - (row?.createdAt ?? 0)).toBe(365 * DAY);
  const unconfirmed = await appOf(await makeUser({ isConfirmed: false }));
  expect(await errorCodeOf(createKey(unconfirmed, input))).toBe("CONFLICT");
});

test("O-01 a refused form of a key keeps what was typed, before any JavaScript", async () => {
  const user = await makeUser();
  const page = await post(user, "/account/api", { intent: "key.create", name: "My script", days: "30" });
  expect(page.html.includes("Please choose at least one.")).toBe(true);
  const [name] = await page.all("main input[name=name]");
  expect(name?.attributes.value).toBe("My script");
  expect(await page.all("main input[name=scopes][checked]")).toEqual([]);
});

test("O-01 O-02 without JavaScript a key is made, opens our calls, is shown once, and its button revokes it", async () => {
  const user = await makeUser();
  const statusWith = async (key: string) =>
    (await ask("/get-user", { headers: { Authorization: `Bearer ${key}` } })).status;
  const shown = async (form: (typeof page)["forms"][number], typed: Record<string, string>) =>
    (await postForm(user, "/account/api", form, typed)).status;
  const page = await openPage(user, "/account/api");
  const create = page.forms.find((form) => standsIn(form, "intent") === "key.create");
  if (!create) throw new Error("no form for a new key");
  expect(await shown(create, { name: "Plain script", scopes: "" })).toBe(422);
  const made = await post(user, "/account/api", {
    intent: "key.create",
    name: "Plain script",
    scopes: "read",
    days: "30",
  });
  const key = /bth_[\w-]{49}/.exec(made.html)?.[0] ?? "";
  expect(await statusWith(key)).toBe(200);
  expect((await visit(user, "/account/api")).html).not.toContain(key);
  const revoke = (await openPage(user, "/account/api")).forms.find(
    (form) => standsIn(form, "intent") === "key.revoke",
  );
  if (!revoke) throw new Error("no button to revoke a key");
  expect(await shown(revoke, {})).toBeLessThan(400);
  expect((await visit(user, "/account/api")).html).toContain("You have no keys.");
  expect(await statusWith(key)).toBe(401);
});

test("O-01 a user has at most 20 keys that work, also when they are made at once", async () => {
  const user = await makeUser();
  const app = await appOf(user);
  const said = await Promise.all(Array.from({ length: 24 }, () => errorCodeOf(createKey(app, input))));
  expect(said.filter((code) => code === "ok")).toHaveLength(20);
  expect(said.filter((code) => code === "CONFLICT")).toHaveLength(4);
  const later = { ...app, now: instant(NOW + 30 * DAY) };
  expect(await errorCodeOf(createKey(later, input))).toBe("ok");
});

test("O-02 a key has its format, the page shows it once, and the database keeps only its SHA-256", async () => {
  const user = await makeUser();
  const form = { intent: "key.create", name: "My script", scopes: "read", days: "30" };
  const page = await post(user, "/account/api", form);
  const [key = ""] = /bth_[\w-]{49}/.exec(page.html) ?? [];
  expect(key).toMatch(KEY_PATTERN);
  const [row] = await keysOf(user.id);
  expect(row).toMatchObject({ keyHash: await hashToken(key), start: key.slice(0, 8), scopes: "read" });
  expect(JSON.stringify(row)).not.toContain(key.slice(9));
  const again = await visit(user, "/account/api");
  expect(again.html).not.toContain(key.slice(9));
  expect(await again.texts("main ul[aria-label=Keys] code")).toEqual([`${key.slice(0, 8)}…`]);
});

test("O-02 a key with a wrong checksum is refused without a query", async () => {
  const app = await appOf(await makeUser());
  const { key } = await createKey(app, input);
  const select = vi.fn();
  const silent = { select } as unknown as typeof db;
  const last = key.endsWith("A") ? "B" : "A";
  for (const wrong of [key.slice(0, -1) + last, "", "bth_", key.slice(4), `${key}A`, key.toUpperCase()]) {
    expect(isWellFormed(wrong), wrong).toBe(false);
    expect(await findUserByKey(silent, wrong, NOW, () => {})).toBeNull();
  }
  expect(select).not.toHaveBeenCalled();
  expect(isWellFormed(key)).toBe(true);
});

test("O-03 a key of a super admin has the rights of an ordinary user", async () => {
  const app = await appOf(await makeUser({ roleId: USER_ROLE.superAdmin }));
  const { key } = await createKey(app, input);
  expect((await findUserByKey(db, key, NOW, () => {}))?.user.roleId).toBe(1);
});

test("O-08 the last use is written at most once an hour", async () => {
  const user = await makeUser();
  const { key } = await createKey(await appOf(user), input);
  const use = async (at: number) => {
    const work: Promise<unknown>[] = [];
    await findUserByKey(db, key, instant(at), (one) => work.push(one));
    await Promise.all(work);
    return (await keysOf(user.id))[0]?.lastUsedAt;
  };
  expect(await use(NOW)).toBe(NOW);
  expect(await use(NOW + HOUR - 1)).toBe(NOW);
  expect(await use(NOW + HOUR)).toBe(NOW + HOUR);
});

test("O-08 a key ends with its revoking and with its time, and the night deletes it then", async () => {
  writesToEverybody();
  const user = await makeUser();
  const app = await appOf(user);
  const { key } = await createKey(app, input);
  const { key: other } = await createKey(app, { ...input, days: 90 });
  expect([await live(key, NOW + 30 * DAY - 1), await live(key, NOW + 30 * DAY)]).toEqual([user.id, null]);
  await deleteExpiredRows({ ...app, now: instant(NOW + 30 * DAY + 1) });
  expect((await keysOf(user.id)).map(({ keyHash }) => keyHash)).toEqual([await hashToken(other)]);
  const stranger = await appOf(await makeUser());
  await revokeKey(stranger, { key: await hashToken(other) });
  expect(await live(other)).toBe(user.id);
  await revokeKey(app, { key: await hashToken(other) });
  expect([await live(other), (await viewKeys(app)).keys]).toEqual([null, []]);
});

test("O-08 seven days before its end, the owner of a key gets one notice", async () => {
  const user = await makeUser();
  const app = await appOf(user);
  await createKey(app, { ...input, name: "Kettle" });
  const told = async (at: number) => {
    const now = await testApp({ now: instant(at) });
    await warnOfEndingKeys(now);
    await drain(now);
    const rows = await db.select().from(schema.notices).where(eq(schema.notices.userId, user.id));
    return rows.map(({ kind }) => kind);
  };
  expect(await told(NOW + 23 * DAY - 1)).toEqual([]);
  expect(await told(NOW + 23 * DAY)).toEqual(["key-ends"]);
  expect(await told(NOW + 24 * DAY)).toEqual(["key-ends"]);
  const page = await visit(user, "/my/notices");
  expect((await page.texts("main")).join()).toContain("Your key “Kettle” stops working on");
});

const tokenIn = (text: string) => /token=([\w-]+)/.exec(text)?.[1] ?? "";
const emailTo = (email: string, subject: RegExp) =>
  vi.waitFor(async () => {
    await drain(await testApp({ now: instant(Date.now()) }));
    const mails = await db.select().from(schema.mailbox).where(eq(schema.mailbox.recipient, email));
    const found = mails.findLast((message) => subject.test(message.subject));
    if (!found) throw new Error(`no email ${subject} to ${email}`);
    return found;
  });
const at = (user: TestUser | null, now = Date.now()) =>
  testApp({ ...(user ? { loginToken: user.loginToken } : {}), now: instant(now) });

const ENDS: [string, (made: { user: TestUser; email: string; name: string }) => Promise<unknown>][] = [
  ["ending all other logins", async ({ user }) => endOtherLogins(await at(user))],
  [
    "a new password",
    async ({ user }) =>
      changePassword(await at(user), { currentPassword: PASSWORD, password: "another lantern" }),
  ],
  [
    "a reset",
    async ({ email }) => {
      const { callAs } = await import("#tests/support/ask");
      await callAs(null, "POST", "/get-password-reset", { email });
      const token = tokenIn((await emailTo(email, /^Choose a new password/)).text);
      await resetPassword(await at(null), { email, password: "another lantern", token });
    },
  ],
  [
    "This wasn't me, in the email that announces the key",
    async ({ email }) =>
      restoreAddress(await at(null), { token: tokenIn((await emailTo(email, /^How you sign in/)).text) }),
  ],
  [
    "a suspension",
    async ({ name }) =>
      suspendUser(await appOf(await makeUser({ roleId: USER_ROLE.superAdmin }), instant(Date.now())), {
        username: name,
        days: 1,
        reason: "Spam",
      }),
  ],
  ["asking for deletion", async ({ user }) => askForDeletion(await at(user), { currentPassword: PASSWORD })],
];

test.each(ENDS)("O-09 %s revokes all keys", async (_, end) => {
  const { input: made, user } = await registered();
  await db
    .update(schema.users)
    .set({ emailConfirmedAt: instant(Date.now()) })
    .where(eq(schema.users.email, made.email));
  const { key } = await createKey(await at(user), input);
  expect(await live(key, Date.now())).not.toBeNull();
  await end({ user, email: made.email, name: made.username });
  expect(await live(key, Date.now() + MINUTE)).toBeNull();
});

test("O-09 the deletion of an account deletes its keys", async () => {
  const user = await makeUser();
  await createKey(await appOf(user), input);
  await setUser(user.id, { deletionDueAt: instant(NOW - DAY) });
  await deleteDueAccounts(await testApp());
  expect(await keysOf(user.id)).toEqual([]);
});

test("O-09 Q-42 the export names the keys without anything that opens the account", async () => {
  const user = await makeUser();
  const app = await appOf(user);
  const { key } = await createKey(app, input);
  const rows: object[] = [];
  for await (const some of exportRows(app, "api-keys")) rows.push(...some);
  expect(rows).toEqual([
    {
      name: "My script",
      start: key.slice(0, 8),
      scopes: "read,write",
      created_at: "2026-11-21T09:30:00.000Z",
      expires_at: "2026-12-21T09:30:00.000Z",
      last_used_at: null,
    },
  ]);
});

test("O-09 keys in texts are masked in log lines and in reports", async () => {
  const app = await appOf(await makeUser());
  const { key } = await createKey(app, input);
  expect(logLine({ event: "any", text: `see ${key}, and ${key}` })).toContain("see bth_…, and bth_…");
  expect(maskKeys(`(${key})`)).toBe("(bth_…)");
  const reported = await makeUser();
  await fileReport(app, { kind: "person", id: reported.username, reason: "spam", text: `They sent ${key}` });
  const [row] = await db
    .select()
    .from(schema.reports)
    .where(eq(schema.reports.authorName, reported.username));
  expect(row?.text).toBe("They sent bth_…");
});
