// Actions that need a check of the login within 15 minutes, and the ways to pass it.
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { PASSWORD, registered } from "#tests/support/accounts";
import { ask, callAs, ORIGIN } from "#tests/support/ask";
import type { TestUser } from "#tests/support/factories";
import { db } from "#tests/support/factories";
import { codeOf, withTwoStep } from "#tests/support/two-step";
import { post, visit } from "#tests/support/visit";
import { MINUTE } from "~/domain/time";
import { hashToken } from "~/use-cases/tokens.server";

/** Sets the last check of `user`'s login to so many minutes ago. */
async function checkedAgo(user: TestUser, minutes: number): Promise<void> {
  const tokenHash = await hashToken(user.loginToken);
  await db
    .update(schema.logins)
    .set({ checkedAt: (Date.now() - minutes * MINUTE) as never })
    .where(eq(schema.logins.tokenHash, tokenHash));
}
async function stale() {
  const made = await registered();
  await checkedAgo(made.user, 15);
  return made;
}

const elsewhere = { email: "elsewhere@example.com", firstName: "", lastName: "", currentPassword: PASSWORD };
const another = { password: "a kettle at dawn", passwordConfirmation: "a kettle at dawn" };
const FORMS: [path: string, form: Record<string, string>][] = [
  ["/account", { intent: "profile", ...elsewhere }],
  ["/account", { intent: "password", currentPassword: PASSWORD, ...another }],
  ["/account", { intent: "delete-account", currentPassword: PASSWORD }],
  ["/account/security", { intent: "end-login", login: "none" }],
  ["/account/security", { intent: "end-other-logins" }],
  ["/account/calendar", { intent: "calendar.create" }],
  ["/account/calendar", { intent: "calendar.renew" }],
  ["/account/api", { intent: "key.create", name: "Phone", scopes: "read", days: "30" }],
  ["/my/goals", { intent: "key.log", goal: "1" }],
  ["/account/security", { intent: "two-step.begin" }],
  ["/account/security", { intent: "two-step.confirm", code: "123456" }],
  ["/account/security", { intent: "two-step.codes" }],
  ["/account/security", { intent: "two-step.off" }],
  ["/account/security", { intent: "passkey.rename", passkey: "none", name: "Phone" }],
  ["/account/security", { intent: "passkey.remove", passkey: "none" }],
];
const CALLS: [method: string, path: string, body: object][] = [
  ["PATCH", "/account/user/profile", { email: elsewhere.email, current_password: PASSWORD }],
  ["POST", "/account/passkeys/options", {}],
  ["POST", "/account/passkeys", { name: "Phone", response: { id: "none", response: {} } }],
];

describe("the check of a login", () => {
  test.each([
    ...FORMS.map(([path, form]) => [`post the form ${form.intent}`, { path, form }] as const),
    ...CALLS.map(([method, path, body]) => [`call ${method} ${path}`, { method, path, body }] as const),
  ])("Q-38 a login without a check in 15 minutes may not %s", async (_, act) => {
    const { user, input } = await stale();
    if ("form" in act) {
      const answer = await ask(`${act.path}.data`, {
        method: "POST",
        headers: { Cookie: `login=${user.loginToken}`, Origin: ORIGIN, Host: new URL(ORIGIN).host },
        body: new URLSearchParams({ ...act.form, stay: "1" }),
      });
      expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining("REAUTH_REQUIRED")]);
    } else {
      const { status, body } = await callAs(user, act.method, act.path, act.body);
      expect([status, body.error_code, body.message]).toEqual([
        403,
        "REAUTH_REQUIRED",
        "Please confirm that it's you.",
      ]);
    }
    // Nothing has changed: the same login and password still work.
    const same = await callAs(null, "POST", "/login", { email: input.email, password: PASSWORD });
    expect([same.status, (await callAs(user, "GET", "/get-user")).body.email]).toEqual([200, input.email]);
  });

  test("Q-38 an export redirects to the confirmation page", async () => {
    const { user } = await stale();
    const { status, location } = await visit(user, "/account/export/everything.json");
    expect([status, location]).toEqual([302, "/account/confirm?next=%2Faccount%2Fexport%2Feverything.json"]);
  });

  test("Q-38 signing in counts for 15 minutes, and a name changes without a check", async () => {
    const { user } = await registered();
    await checkedAgo(user, 14);
    expect((await callAs(user, "POST", "/account/passkeys/options", {})).body.error_code).toBe("CONFLICT");
    await checkedAgo(user, 15);
    expect((await callAs(user, "PATCH", "/account/user/profile", { first_name: "Eve" })).status).toBe(200);
    expect((await callAs(null, "POST", "/account/passkeys/options", {})).status).toBe(401);
  });
});

describe("the check", () => {
  const isOpen = async (user: TestUser) =>
    (await callAs(user, "POST", "/account/passkeys/options", {})).body.error_code !== "REAUTH_REQUIRED";

  test("Q-38 the right password passes it, and a wrong one does not", async () => {
    const { user } = await stale();
    const wrong = await callAs(user, "POST", "/account/check", { current_password: "no lantern" });
    expect([wrong.status, wrong.body.fields.current_password.length, await isOpen(user)]).toEqual([
      422,
      1,
      false,
    ]);
    const right = await callAs(user, "POST", "/account/check", { current_password: PASSWORD });
    expect([right.status, await isOpen(user)]).toEqual([204, true]);
  });

  test("Q-38 a code passes it once", async () => {
    const { user, secret } = await withTwoStep();
    await checkedAgo(user, 15);
    const code = codeOf(secret, Date.now());
    expect((await callAs(user, "POST", "/account/check", { code })).status).toBe(204);
    expect(await isOpen(user)).toBe(true);
    expect((await callAs(user, "POST", "/account/check", { code })).status).toBe(422);
    expect((await callAs(user, "POST", "/account/check", {})).status).toBe(422);
  });

  test("Q-39 without JavaScript a form waits for the check and returns as typed, without its password", async () => {
    const { user } = await stale();
    const sent = await post(user, "/account", {
      intent: "profile",
      stay: "",
      ...elsewhere,
      firstName: "Grace",
    });
    const next = "/account/confirm?next=%2Faccount";
    expect([sent.status, sent.location]).toEqual([302, next]);
    const kept = sent.headers.getSetCookie().find((cookie) => cookie.startsWith("returned=")) ?? "";
    expect(kept).toMatch(/HttpOnly/);
    expect(decodeURIComponent(kept)).not.toContain(PASSWORD);
    const confirm = await visit(user, next);
    expect(await confirm.texts("h1")).toEqual(["Please confirm that it's you"]);
    const form = { intent: "password", stay: "", next: "/account", currentPassword: "no lantern" };
    expect((await post(user, "/account/confirm", form)).status).toBe(422);
    const cookie = `login=${user.loginToken}; ${kept.split(";")[0]}`;
    const done = await ask("/account/confirm", {
      method: "POST",
      redirect: "manual",
      headers: { Cookie: cookie, Origin: ORIGIN, Host: new URL(ORIGIN).host },
      body: new URLSearchParams({ ...form, currentPassword: PASSWORD }),
    });
    expect([done.status, done.headers.get("Location"), done.headers.getSetCookie().join()]).toEqual([
      302,
      "/account",
      expect.not.stringContaining("returned="),
    ]);
    const back = await ask("/account", { headers: { Cookie: cookie, Accept: "text/html" } });
    const html = await back.text();
    expect(html).toMatch(
      /name="email"[^>]*value="elsewhere@example.com"|value="elsewhere@example.com"[^>]*name="email"/,
    );
    expect(html).toMatch(/value="Grace"/);
    // The form returns to no other user, and on no other page.
    const { user: other } = await registered();
    for (const [login, path] of [
      [other.loginToken, "/account"],
      [user.loginToken, "/account/security"],
    ])
      expect(
        await (
          await ask(path ?? "", {
            headers: { Cookie: `login=${login}; ${kept.split(";")[0]}`, Accept: "text/html" },
          })
        ).text(),
      ).not.toContain("elsewhere@example.com");
    const taken = await ask("/account", {
      method: "POST",
      redirect: "manual",
      headers: { Cookie: cookie, Origin: ORIGIN, Host: new URL(ORIGIN).host },
      body: new URLSearchParams({
        intent: "profile",
        stay: "1",
        ...elsewhere,
        email: `${user.username}@new.example`,
      }),
    });
    expect(taken.headers.getSetCookie().join()).toContain("returned=; Path=/; Max-Age=0");
  });

  test("Q-38 after the check an export is a link on the page", async () => {
    const { user } = await stale();
    const next = "/account/export/goals.csv";
    const form = { intent: "password", stay: "", next, currentPassword: PASSWORD };
    const { location } = await post(user, "/account/confirm", form);
    const page = await visit(user, location ?? "");
    expect((await page.links())["Download the file"]).toBe(next);
    expect((await visit(user, next)).status).toBe(200);
  });
});

test("Q-34 without JavaScript the login page asks for the code, and redirects", async () => {
  const { input, secret } = await withTwoStep();
  const first = await post(null, "/auth/login", {
    intent: "login",
    stay: "",
    next: "/my/goals",
    email: input.email,
    password: PASSWORD,
  });
  expect([first.status, first.headers.getSetCookie().join()]).toEqual([
    200,
    expect.not.stringMatching(/login=/),
  ]);
  const [token] = await first.all('form input[name="token"]');
  const typed = { intent: "two-step", stay: "", next: "/my/goals", token: token?.attributes.value ?? "" };
  const wrong = await post(null, "/auth/two-step", { ...typed, code: "000000" });
  expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining("This code is not right.")]);
  expect((await wrong.all('form input[name="token"]'))[0]?.attributes.value).toBe(typed.token);
  const right = await post(null, "/auth/two-step", { ...typed, code: codeOf(secret, Date.now()) });
  expect([right.status, right.location, right.headers.getSetCookie().join()]).toEqual([
    302,
    "/my/goals",
    expect.stringMatching(/login=/),
  ]);
  const over = await post(null, "/auth/two-step", { ...typed, code: "000000" });
  expect([over.status, (await over.all('form input[name="password"]')).length]).toEqual([401, 1]);
  expect(over.html).toContain("This sign-in took too long.");
});
