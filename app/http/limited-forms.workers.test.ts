// Forms beyond their rate limit: the page comes back with the limit's sentence and what was typed. Each limit's own
// number is tested beside its use case.
import { expect, test } from "vitest";
import { ORIGIN } from "#tests/support/ask";
import { appOf, makeUser, type TestUser, testApp } from "#tests/support/factories";
import { makeSession } from "#tests/support/sessions";
import { AppError } from "~/domain/errors";
import { action as auth } from "~/routes/accounts/auth";
import { action as forgot } from "~/routes/accounts/forgot-password";
import { action as goals } from "~/routes/goals/my-goals";
import { action as chat } from "~/routes/sessions/chat";
import { action as session } from "~/routes/sessions/session";

const TRIES = "Too many attempts. Please wait a minute and try again.";
const AT_ONCE = "That was a lot at once. Please wait a moment and try again.";

type Door = (args: never) => unknown;
type Refused = {
  init?: { status?: number };
  data: { code: string; message: string; form: { initialValue: object } };
};

/** The answer of a page's action to an App whose counters are full. */
async function refused(
  door: Door,
  user: TestUser | null,
  path: string,
  form: Record<string, string>,
  params: object = {},
): Promise<Refused> {
  const app = user ? await appOf(user) : await testApp();
  app.attempts = {
    ...app.attempts,
    take: async () => {
      throw new AppError("RATE_LIMITED", AT_ONCE);
    },
  };
  const request = new Request(`${ORIGIN}${path}`, { method: "POST", body: new URLSearchParams(form) });
  return (await door({ request, params, context: { app, nonce: "" } } as never)) as Refused;
}

test.each([
  ["signing in", auth, "/auth/login", { intent: "login", email: "a@example.com", password: "not this one" }],
  [
    "registering",
    auth,
    "/auth/register",
    {
      intent: "register",
      email: "a@example.com",
      username: "crowded",
      password: "a lantern at dusk",
      passwordConfirmation: "a lantern at dusk",
      terms: "on",
    },
  ],
  ["asking for a reset mail", forgot, "/forgot-password", { email: "a@example.com" }],
] as const)(
  "R-25 %s beyond the limit answers 429 with its sentence and the typed email",
  async (_, door, path, form) => {
    const tab = /^\/auth\/(\w+)/.exec(path)?.[1];
    const answer = await refused(door, null, path, form, { tab });
    expect([answer.init?.status, answer.data.code, answer.data.message]).toEqual([
      429,
      "RATE_LIMITED",
      TRIES,
    ]);
    expect(answer.data.form.initialValue).toMatchObject({ email: "a@example.com" });
    expect(JSON.stringify(answer.data)).not.toMatch(/not this one|a lantern/);
  },
);

test("R-25 a goal, a join and a chat line beyond the limit answer 429 with its sentence and the typed text", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id } = await makeSession(host);
  const at = { session: String(id) };
  for (const [door, user, path, form, params, kept] of [
    [
      goals,
      host,
      "/my/goals",
      { intent: "goal.create", title: "Learn the fiddle" },
      {},
      { title: "Learn the fiddle" },
    ],
    [session, guest, `/sessions/${id}`, { intent: "join" }, at, {}],
    [chat, host, `/sessions/${id}/chat`, { intent: "say", content: "One more" }, at, { content: "One more" }],
  ] as const) {
    const answer = await refused(door as Door, user, path, form, params);
    expect([path, answer.init?.status, answer.data.message]).toEqual([path, 429, AT_ONCE]);
    expect(answer.data.form.initialValue).toMatchObject(kept);
  }
});
