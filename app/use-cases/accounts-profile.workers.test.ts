// Who one is, and the profile, through the real door and a real database.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect, schema } from "#db/connect.server";
import { PASSWORD, registered } from "#tests/support/accounts";
import { callAs } from "#tests/support/ask";
import { appOf, makeUser, NOW } from "#tests/support/factories";
import { createApp } from "#workers/create-app";
import { updateProfile } from "./accounts.server";
import { viewShell } from "./shell.server";

const db = connect(env.DB);

test("E-01 E-03 the user carries subscription and open goals", async () => {
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

test("C-14 M-07 R-18 U-12 the profile changes, the username never", async () => {
  const { user, input } = await registered();
  const email = `new-${input.email}`;
  const answer = await callAs(user, "PATCH", "/account/user/profile", {
    userData: { first_name: " Augusta ", last_name: "", email, username: "somebody-else" },
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

test("C-14 a bad profile is refused at its field; visitors may not", async () => {
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
  const taken = await patch({ email: other.email.toUpperCase() });
  expect([taken.status, taken.body.fields]).toEqual([
    422,
    { email: ["There is already an account with this email address."] },
  ]);
  expect((await callAs(null, "PATCH", "/account/user/profile", { userData: {} })).status).toBe(401);
});

test("a new email is told to the old one, and old reset links end", async () => {
  const user = await makeUser();
  await db.insert(schema.passwordResets).values({
    tokenHash: `r-${user.id}`,
    userId: user.id,
    createdAt: NOW,
    expiresAt: 4e12 as typeof NOW,
  });
  const app = await appOf(user);
  const work: Promise<unknown>[] = [];
  app.defer = (more) => void work.push(more);
  await updateProfile(app, { email: `moved-${user.email}` });
  await Promise.all(work);
  const [mail] = await db.select().from(schema.mailbox).where(eq(schema.mailbox.recipient, user.email));
  expect(mail?.text).toContain(`moved-${user.email}`);
  const [reset] = await db
    .select()
    .from(schema.passwordResets)
    .where(eq(schema.passwordResets.userId, user.id));
  expect(reset?.usedAt).toBe(NOW);
});

test("C-15 U-58 a message once read is not flagged any more", async () => {
  const { user } = await registered();
  const read = (body: unknown) => callAs(user, "POST", "/api/users/read-new-message", body);
  expect((await read({})).body.fields).toEqual({ message_key: ["Value is required"] });
  expect((await read({ message_key: "unknown" })).body).toEqual({ new_messages: { free_tokens: 1 } });
  expect((await read({ message_key: "free_tokens" })).body).toEqual({ new_messages: {} });
  expect((await read({ message_key: "free_tokens" })).status).toBe(200);
  expect((await callAs(user, "GET", "/get-user")).body).toMatchObject({ is_new: 1, new_messages: {} });
  expect((await callAs(null, "POST", "/api/users/read-new-message", { message_key: "x" })).status).toBe(401);
});

test("U-58 who comes back after reading the welcome is not new any more", async () => {
  const { user, input } = await registered();
  const back = () => callAs(null, "POST", "/login", { email: input.email, password: PASSWORD });
  expect((await back()).body.user.is_new).toBe(1);
  await callAs(user, "POST", "/api/users/read-new-message", { message_key: "free_tokens" });
  expect((await back()).body.user.is_new).toBe(0);
});

test("the zone of the browser one uses is shown in and remembered, one write a change", async () => {
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
  // A browser that has not told yet, or says the same: nothing to write.
  for (const zone of [undefined, "Europe/Oslo"])
    expect((await viewShell(await from(zone))).timeZone).toBe("Europe/Oslo");
  expect(deferred).toHaveLength(1);
});
