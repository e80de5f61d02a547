// Rate limits on a server where they are on: the call and the posted form both answer 429 with the same sentence.
// Other errors of adapters reach a page the same way.
import { mkdtempSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page, Response } from "@playwright/test";
import { migrate, serve } from "../../workers/local/tools.mjs";
import { call, expect, newName, newPerson, PASSWORD, test } from "./fixtures";

const port = Number(process.env.JOURNEY_PORT ?? 8790) + 2 + Number(process.env.TEST_PARALLEL_INDEX ?? 0);
const AT_ONCE = "That was a lot at once. Please wait a moment and try again.";
const TRIES = /^Too many attempts\. Please wait (a minute|\d+ minutes) and try again\.$/;

/** The payment provider's stand-in declines every card. */
const DECLINED = "Your card was declined.";
const provider: Server = createServer((request, response) => {
  const answers: Record<string, [number, object]> = {
    "POST /v1/customers": [200, { id: "cus_1", object: "customer" }],
    "GET /v1/prices": [200, { object: "list", data: [{ id: "price_1" }] }],
    "POST /v1/subscriptions": [402, { error: { type: "card_error", message: DECLINED } }],
  };
  const [status, body] = answers[`${request.method} ${request.url?.split("?")[0]}`] ?? [404, { error: {} }];
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
});

let server: Awaited<ReturnType<typeof serve>>;
test.beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "bothy-limits-"));
  await migrate(dataDir);
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  const address = provider.address();
  const vars = {
    RATE_LIMITS: "on",
    STRIPE_SECRET_KEY: "sk_test_1",
    STRIPE_API_BASE: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
  };
  server = await serve({ port, dataDir, vars, quiet: true });
});
test.afterEach(async ({ browser }) => {
  for (const context of browser.contexts()) await context.close();
});
test.afterAll(async () => {
  provider.close();
  await server.stop();
});

/** Calls, ten at a time, until the limit refuses; returns the sentence of the refusal. */
async function exhaust(page: Page, limit: number, path: string, body: () => object): Promise<string> {
  for (let made = 0; made <= limit; made += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => call(page, "POST", path, body())));
    for (const answer of answers)
      if (answer.status() === 429) return ((await answer.json()) as { error: string }).error;
  }
  throw new Error(`${path} refused none of ${limit + 10} calls.`);
}

/** A browser without JavaScript, so that forms are posted to their pages. */
const plain = (browser: Browser) =>
  browser.newContext({ baseURL: server.url, javaScriptEnabled: false }).then((context) => context.newPage());
const personOf = (browser: Browser, start: string) =>
  newPerson(browser, start, { baseURL: server.url, javaScriptEnabled: false });

/** Presses a form's button and returns the page's response. */
async function press(page: Page, name: string | RegExp): Promise<Response> {
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === "POST"),
    page.getByRole("main").getByRole("button", { name }).first().click(),
  ]);
  await page.waitForLoadState();
  return answer;
}
const main = (page: Page) => page.getByRole("main");

test("R-25 the eleventh wrong password is refused with the minutes to wait, in the call and on the page", async ({
  browser,
}) => {
  const page = await plain(browser);
  const email = `${newName("guessed")}@example.com`;
  await page.goto("/auth/login");
  expect(await exhaust(page, 10, "/login", () => ({ email, password: "not this one" }))).toMatch(TRIES);
  await main(page).getByLabel("Email").fill(email);
  await main(page).getByLabel("Password").first().fill("not this one");
  expect((await press(page, "Login")).status()).toBe(429);
  await expect(main(page).getByText(TRIES).first()).toBeVisible();
  await expect(main(page).getByLabel("Email")).toHaveValue(email);
});

test("R-25 the sixth reset mail to one address is refused, in the call and on the page", async ({
  browser,
}) => {
  const page = await plain(browser);
  const email = `${newName("mailed")}@example.com`;
  await page.goto("/forgot-password");
  expect(await exhaust(page, 5, "/get-password-reset", () => ({ email }))).toMatch(TRIES);
  await main(page).getByLabel("Email").fill(email);
  expect((await press(page, "Send Password Reset Link")).status()).toBe(429);
  await expect(main(page).getByText(TRIES).first()).toBeVisible();
});

test("R-25 after two hundred goals an hour, the call and the page answer with the limit's sentence", async ({
  browser,
}) => {
  const { page } = await personOf(browser, "planner");
  await page.goto("/my/goals?create=1");
  const goal = () => ({ challenge: { tasks: [{ title: newName("Goal") }] } });
  expect(await exhaust(page, 200, "/api/goals/store", goal)).toBe(AT_ONCE);
  await main(page).locator('[name="title"]').first().fill("Learn the fiddle");
  expect((await press(page, "Create goal")).status()).toBe(429);
  await expect(main(page).getByText(AT_ONCE).first()).toBeVisible();
  await expect(main(page).locator('[name="title"]').first()).toHaveValue("Learn the fiddle");
});

/** A running session of `host`: its path and id. */
async function startedSession(host: Page): Promise<{ path: string; id: number }> {
  const made = await call(host, "POST", "/challenge-events", {
    challenge: { title: newName("Walk"), duration: 3600, is_manually_started: 1, parts: [] },
  });
  expect(made.status(), await made.text()).toBe(201);
  const { path, challenge_event } = (await made.json()) as { path: string; challenge_event: { id: number } };
  expect((await call(host, "POST", `/challenge-events/${challenge_event.id}/start`, {})).ok()).toBe(true);
  return { path, id: challenge_event.id };
}

test("R-25 after a hundred and twenty joins an hour, the call and the page answer with the limit's sentence", async ({
  browser,
}) => {
  const { page: host } = await personOf(browser, "host");
  const { id } = await startedSession(host);
  const { path: other } = await startedSession(host);
  const { page: guest } = await personOf(browser, "guest");
  await guest.goto(other);
  // Joins count once they come as a flood, so ten of each minute come on top (decision 67).
  expect(await exhaust(guest, 120 + 30, `/challenge-events/${id}/join`, () => ({}))).toBe(AT_ONCE);
  expect((await press(guest, "Join")).status()).toBe(429);
  await expect(main(guest).getByText(AT_ONCE).first()).toBeVisible();
});

test("R-25 L-08 after a hundred and twenty chat lines a minute comes the limit's sentence, and after the end the room's own", async ({
  browser,
}) => {
  const { page: host } = await personOf(browser, "host");
  const { path, id } = await startedSession(host);
  await host.goto(`${path}/chat`);
  const about = { messageable_type: "challenge_event", messageable_id: id };
  const line = () => ({ ...about, content: "Hello there", nonce: newName("line") });
  expect(await exhaust(host, 120, "/messages", line)).toBe(AT_ONCE);
  await host.getByLabel("Message").fill("One more");
  expect((await press(host, "Send")).status()).toBe(429);
  await expect(main(host).getByText(AT_ONCE).first()).toBeVisible();
  await expect(host.getByLabel("Message")).toHaveValue("One more");

  // Another host has attempts left: the room itself refuses a line after the end.
  const { page: late } = await personOf(browser, "late");
  const ended = await startedSession(late);
  await late.goto(`${ended.path}/chat`);
  expect((await call(late, "POST", `/challenge-events/${ended.id}/end`, {})).ok()).toBe(true);
  await late.getByLabel("Message").fill("Too late");
  expect((await press(late, "Send")).status()).toBe(409);
  await expect(main(late).getByText("Chat is active when the session is in progress.")).toBeVisible();
});

test("R-28 the page answers a declined card with the provider's sentence", async ({ browser }) => {
  const { page } = await personOf(browser, "payer");
  const answer = await page.request.post("/account", {
    form: { intent: "resume-subscription", product: "goals_sessions_sub" },
    headers: { Origin: server.url, Accept: "text/html" },
  });
  expect(answer.status()).toBe(422);
  expect(await answer.text()).toContain(DECLINED);
});

test("R-25 after twenty registrations an hour from one network, the call and the page answer with the minutes to wait", async ({
  browser,
}) => {
  const page = await plain(browser);
  const email = `${newName("crowd")}@example.com`;
  const form = (username: string) => ({
    name: username,
    first_name: "",
    last_name: "",
    email,
    username,
    password: PASSWORD,
    password_confirmation: PASSWORD,
    terms: true,
  });
  await page.goto("/auth/register");
  expect(await exhaust(page, 20, "/register", () => form(newName("crowd")))).toMatch(TRIES);
  // The first of them is signed in.
  await page.context().clearCookies();
  await page.goto("/auth/register");
  await main(page).getByLabel("Email").fill(email);
  await main(page).getByLabel("Username").fill(newName("crowd"));
  await main(page)
    .getByLabel(/^Password/)
    .first()
    .fill(PASSWORD);
  await main(page)
    .getByLabel(/Confirm/)
    .fill(PASSWORD);
  await main(page).getByRole("checkbox").check();
  expect((await press(page, "Register")).status()).toBe(429);
  await expect(main(page).getByText(TRIES).first()).toBeVisible();
  await expect(main(page).getByLabel("Email")).toHaveValue(email);
});
