// The signed-in user and the profile, through HTTP and a real database.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { PASSWORD, registered, tokenOf } from "#tests/support/accounts";
import { callAs } from "#tests/support/ask";
import { appOf, db, makeUser, NOW } from "#tests/support/factories";
import { openPage, post, standsIn } from "#tests/support/forms";
import { createApp } from "#workers/create-app";
import { asAppError } from "~/domain/errors";
import { DAY, instant } from "~/domain/time";
import { viewShell } from "~/use-cases/shell.server";
import { passwords } from "./password-hashes.server";
import { updateProfile } from "./profile.server";

// Ahead of the real clock, so that no counter's alarm fires during a test.
const AHEAD = instant(Date.now() + DAY);
afterEach(() => vi.restoreAllMocks());

test("E-01 E-03 the user includes subscription and open goals", async () => {
  const user = await makeUser();
  const now = NOW;
  await db.insert(schema.subscriptions).values({
    userId: user.id,
    product: "goals_sub",
    providerId: `sub_${user.id}`,
    stripeSubStatus: "active",
    startDate: now,
    periodStart: now,
    periodEnd: 4e12 as typeof now,
    createdAt: now,
    updatedAt: now,
  });
  const goal = { userId: user.id, createdAt: now, updatedAt: now };
  await db.insert(schema.goals).values([
    { ...goal, uuid: `g1-${user.id}`, title: "Walk" },
    { ...goal, uuid: `g2-${user.id}`, title: "Done", status: 2 },
  ]);
  const { body } = await callAs(user, "GET", "/get-user");
  expect(body.subscription_id).toBe(body.subscription.id);
  expect(body.subscription).toMatchObject({
    product: { id: 1, title: "Basic", price: 4, content: expect.anything() },
    start_date: "2026-11-21T09:30:00.000Z",
    end_date: null,
    stripe_sub_status: "active",
  });
  expect(body.my_goals).toMatchObject([{ uuid: `g1-${user.id}`, title: "Walk" }]);
});

test("C-14 M-07 R-18 U-12 a profile update changes everything but the username", async () => {
  const { user, input } = await registered();
  const email = `new-${input.email}`;
  const answer = await callAs(user, "PATCH", "/account/user/profile", {
    userData: {
      first_name: " Augusta ",
      last_name: "",
      email,
      username: "somebody-else",
      current_password: PASSWORD,
    },
  });
  expect(answer.status).toBe(200);
  expect(answer.body.user).toMatchObject({
    first_name: "Augusta",
    last_name: "",
    email,
    username: input.username,
  });
  const bare = await callAs(user, "PATCH", "/account/user/profile", { last_name: "King" });
  expect(bare.body.user).toMatchObject({ first_name: "Augusta", last_name: "King", email });
  expect((await callAs(user, "GET", "/get-user")).body).toEqual(bare.body.user);
});

test("C-14 an invalid profile is refused at its field", async () => {
  const { user } = await registered();
  const other = await makeUser();
  const patch = (userData: object) => callAs(user, "PATCH", "/account/user/profile", { userData });
  expect((await patch({ email: "nope" })).body.fields).toEqual({
    email: ["Value is not a valid email address"],
  });
  expect((await patch({ email: "" })).body.fields).toEqual({ email: ["Value is required"] });
  expect((await patch({ last_name: "x".repeat(61) })).body.fields).toEqual({
    last_name: ["Please keep this to 60 characters."],
  });
  const taken = await patch({ email: other.email.toUpperCase(), current_password: PASSWORD });
  expect([taken.status, taken.body.fields]).toEqual([
    422,
    { email: ["There is already an account with this email address."] },
  ]);
});

test("C-14 changing the email address requires the current password, keeping it does not", async () => {
  const { user, input } = await registered();
  const email = `moved-${input.email}`;
  const patch = (userData: object) => callAs(user, "PATCH", "/account/user/profile", { userData });
  const missing = await patch({ email });
  expect([missing.status, missing.body.error_code, missing.body.fields]).toEqual([
    422,
    "INVALID",
    { current_password: ["Please give your current password to change your email address."] },
  ]);
  const wrong = await patch({ email, current_password: "a lantern at dawn" });
  expect([wrong.status, wrong.body.fields]).toEqual([
    422,
    { current_password: ["This is not your current password."] },
  ]);
  expect((await callAs(user, "GET", "/get-user")).body.email).toBe(input.email);
  expect((await patch({ email: input.email.toUpperCase(), first_name: "Grace" })).status).toBe(200);
  expect((await patch({ email, current_password: PASSWORD })).body.user).toMatchObject({ email });
});

test("C-14 the profile form asks for the password when the address changes, without JavaScript too", async () => {
  const { user, input } = await registered();
  const [profile] = (await openPage(user, "/account")).forms.filter((form) =>
    form.fields.some((field) => field.value === "profile"),
  );
  if (!profile) throw new Error("no profile form");
  expect(standsIn(profile, "currentPassword")).toBeUndefined();
  const email = `moved-${input.email}`;
  const asked = await post(user, "/account", profile, { email, firstName: "Grace" });
  expect(asked.status).toBe(422);
  const [form] = asked.forms.filter(({ fields }) => fields.some(({ value }) => value === "profile"));
  if (!form) throw new Error("no profile form");
  expect(standsIn(form, "email")).toBe(email);
  expect(form.fields.find(({ name }) => name === "currentPassword")?.isInvalid).toBe(true);
  expect([...asked.texts.values()].join()).toContain(
    "Please give your current password to change your email address.",
  );
  expect((await post(user, "/account", form, { currentPassword: PASSWORD })).status).toBe(200);
  expect((await callAs(user, "GET", "/get-user")).body).toMatchObject({ email, first_name: "Grace" });
});

test("C-14 password guesses through the profile are counted per login", async () => {
  const { user, input } = await registered();
  const elsewhere = await callAs(null, "POST", "/login", { email: input.email, password: PASSWORD });
  const verify = vi.spyOn(passwords, "verify").mockResolvedValue({ isRight: false, isOutdated: false });
  const change = async (loginToken: string) => {
    const asking = { loginToken, now: AHEAD, defer: (work: Promise<unknown>) => void work };
    const { app } = await createApp({ ...env, RATE_LIMITS: "on" }, asking);
    return updateProfile(app, { email: "other@example.com", currentPassword: "x" }).catch(asAppError);
  };
  for (let i = 0; i < 10; i++) expect(await change(user.loginToken)).toMatchObject({ code: "INVALID" });
  expect(await change(user.loginToken)).toMatchObject({ code: "RATE_LIMITED" });
  expect(await change(tokenOf(elsewhere.headers))).toMatchObject({ code: "INVALID" });
  expect(verify).toHaveBeenCalledTimes(11);
});

test("C-14 a changed email is announced to the old address, and old reset links end", async () => {
  const { user, input, answer } = await registered();
  const { id } = answer.body.user;
  const life = { createdAt: NOW, expiresAt: 4e12 as typeof NOW };
  await db.insert(schema.passwordResets).values({ tokenHash: `r-${id}`, userId: id, ...life });
  const app = await appOf(user);
  const work: Promise<unknown>[] = [];
  app.defer = (more) => void work.push(more);
  await updateProfile(app, { email: `moved-${input.email}`, currentPassword: PASSWORD });
  await Promise.all(work);
  const mails = await db.select().from(schema.mailbox).where(eq(schema.mailbox.recipient, input.email));
  expect(mails.at(-1)?.text).toContain(`moved-${input.email}`);
  const [reset] = await db.select().from(schema.passwordResets).where(eq(schema.passwordResets.userId, id));
  expect(reset?.usedAt).toBe(NOW);
});

test("C-15 U-58 a message that was read has no flag", async () => {
  const { user } = await registered();
  const read = (body: unknown) => callAs(user, "POST", "/api/users/read-new-message", body);
  expect((await read({})).body.fields).toEqual({ message_key: ["Value is required"] });
  expect((await read({ message_key: "unknown" })).body).toEqual({ new_messages: { free_tokens: 1 } });
  expect((await read({ message_key: "free_tokens" })).body).toEqual({ new_messages: {} });
  expect((await read({ message_key: "free_tokens" })).status).toBe(200);
  expect((await callAs(user, "GET", "/get-user")).body).toMatchObject({ is_new: 1, new_messages: {} });
});

test("U-58 the welcome does not reappear after it was read", async () => {
  const { user, input } = await registered();
  const back = () => callAs(null, "POST", "/login", { email: input.email, password: PASSWORD });
  expect((await back()).body.user.is_new).toBe(1);
  await callAs(user, "POST", "/api/users/read-new-message", { message_key: "free_tokens" });
  expect((await back()).body.user.is_new).toBe(0);
});

test("the browser's time zone is shown in and stored, with one write for each change", async () => {
  const user = await makeUser();
  const from = async (timeZone?: string) => {
    const { app } = await createApp(env, {
      loginToken: user.loginToken,
      now: NOW,
      timeZone,
      defer: (work) => void deferred.push(work),
    });
    return app;
  };
  const deferred: Promise<unknown>[] = [];
  expect((await viewShell(await from("Europe/Oslo"))).timeZone).toBe("Europe/Oslo");
  await Promise.all(deferred);
  expect(deferred).toHaveLength(1);
  // A browser without a zone, or with the same one: nothing to write.
  for (const zone of [undefined, "Europe/Oslo"])
    expect((await viewShell(await from(zone))).timeZone).toBe("Europe/Oslo");
  expect(deferred).toHaveLength(1);
});

test("R-49 a sign-in stores the locale of the browser", async () => {
  const { input } = await registered();
  const bystander = await makeUser({ locale: "fr-FR" });
  const localeOf = async ({ email }: { email: string }) =>
    (
      await db.select({ locale: schema.users.locale }).from(schema.users).where(eq(schema.users.email, email))
    )[0]?.locale;
  for (const locale of ["en-US", "de-DE"]) {
    await callAs(
      null,
      "POST",
      "/login",
      { email: input.email, password: PASSWORD },
      {
        "Accept-Language": `${locale},en;q=0.8`,
      },
    );
    expect(await localeOf(input)).toBe(locale);
  }
  expect(await localeOf(bystander)).toBe("fr-FR");
});
