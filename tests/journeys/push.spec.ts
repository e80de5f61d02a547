// Pushes in a browser: turned on by a press, shown by the service worker, opened at our own origin.
import { createHmac, hkdfSync } from "node:crypto";
import { expect, type Page, test, type Worker } from "@playwright/test";
import { withStores } from "../../workers/local/stores.mjs";
import { call, PASSWORD, signIn, signUpQuickly, waitForHydration } from "./fixtures";
import { makeGoal, readGoal } from "./goals";

test.use({ serviceWorkers: "allow", permissions: ["notifications"] });

/** Hands a push to the service worker of this page, as its push service would. */
async function deliver(page: Page, payload: object): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [own] = registrations;
      if (own) resolve(own.registrationId);
    }),
  );
  await devtools.send("ServiceWorker.enable");
  const registrationId = await registered;
  const { origin } = new URL(page.url());
  await devtools.send("ServiceWorker.deliverPushMessage", {
    origin,
    registrationId,
    data: JSON.stringify(payload),
  });
}

type Shown = { title: string; body: string; tag: string; actions: { action: string; title: string }[] };
type Scope = {
  shown: Shown[];
  registration: { showNotification(title: string, options: Omit<Shown, "title">): Promise<void> };
  clients: { openWindow(url: string): Promise<null> };
  dispatchEvent(event: Event): void;
};

/** The browser of the journeys shows no notifications, and opens windows only for a real press. */
const serviceWorker = async (page: Page): Promise<Worker> => {
  const worker = page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent("serviceworker"));
  await worker.evaluate(() => {
    const scope = self as unknown as Scope;
    scope.shown = [];
    scope.registration.showNotification = async (title, { body, tag, actions }) => {
      scope.shown.push({ title, body, tag, actions });
    };
  });
  return worker;
};

const stores = <T>(work: (db: D1Database) => Promise<T>): Promise<T> =>
  withStores({ isRemote: false, dataDir: process.env.JOURNEY_DATA ?? "" }, ({ db }) => work(db));

const idOf = (username: string): Promise<number> =>
  stores(async (db) => {
    const { results } = await db.prepare("SELECT id FROM users WHERE username = ?").bind(username).all();
    return Number(results[0]?.id);
  });

/** A reminder of a goal among the person's unread notices; its key, as the push carries it. */
async function remind(person: number, goal: number): Promise<string> {
  const [subject, now] = [`goal:${goal}`, Date.now()];
  const body = JSON.stringify({ title: "Read the map", path: `/my/goals/${goal}`, day: "2026-01-01" });
  await stores(async (db) => {
    await db
      .prepare(
        "INSERT INTO notices (user_id, id, kind, subject, body, others, at) VALUES (?, ?, ?, ?, ?, '[]', ?)",
      )
      .bind(person, `${now}-${goal}`, "goal-reminder", subject, body, now)
      .run();
    await db.prepare("UPDATE users SET unread_notices = 1 WHERE id = ?").bind(person).run();
  });
  return `${person}:goal-reminder:${subject}:${now}:push`;
}

const unread = async (page: Page): Promise<number> =>
  (await (await page.request.get("/api/my/notices")).json()).serverData.unread;

test("N-37 N-40 N-41 a press turns pushes on, the service worker shows them and opens only our own pages", async ({
  page,
}) => {
  const username = await signUpQuickly(page, "pusher");
  await page.goto("/account");
  await waitForHydration(page);
  const section = page.getByRole("region", { name: "Notifications" });
  await section.getByRole("button", { name: "Turn on notifications" }).click();
  await expect(section.getByText("Notifications are on in this browser.")).toBeVisible();

  const origin = new URL(page.url()).origin;
  const push = {
    title: "Bothy",
    body: "Morning begins in 10 minutes.",
    key: await remind(await idOf(username), 1),
    url: `${origin}/sessions`,
    series: `${origin}/series/morning`,
  };
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const worker = await serviceWorker(page);
  await deliver(page, push);
  await expect
    .poll(() => worker.evaluate(() => (self as unknown as Scope).shown))
    .toEqual([
      {
        title: push.title,
        body: push.body,
        tag: push.key,
        actions: [{ action: "series", title: "All dates" }],
      },
    ]);

  const press = (url: string, action = "") =>
    worker.evaluate(
      ({ action, tag, ...data }) =>
        new Promise<string>((resolve) => {
          const scope = self as unknown as Scope;
          scope.clients.openWindow = async (opened) => {
            resolve(opened);
            return null;
          };
          const notification = { close() {}, tag, data };
          const event = new Event("notificationclick");
          scope.dispatchEvent(Object.assign(event, { notification, action, waitUntil() {} }));
        }),
      { url, series: push.series, action, tag: push.key },
    );
  expect(await unread(page)).toBe(1);
  // Days later the cookie of the token is gone.
  await page.context().clearCookies({ name: "XSRF-TOKEN" });
  expect(await press(`${origin}/sessions`)).toBe(`${origin}/sessions`);
  await expect.poll(() => unread(page)).toBe(0);
  // H-11: the second button leads to all dates of the series.
  expect(await press(`${origin}/sessions`, "series")).toBe(push.series);
  expect(await press("/my/goals")).toBe(`${origin}/my/goals`);
  for (const foreign of ["https://evil.example/x", "javascript:alert(1)", "//evil.example"])
    expect(await press(foreign)).toBe(`${origin}/my/sessions`);

  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  // A login before the answer would end with it.
  await expect(page).toHaveURL(/\/$/);
  await signIn(page, { email: `${username}@example.com`, password: PASSWORD });
  await page.goto("/account");
  await expect(section.getByRole("button", { name: "Turn on notifications" })).toBeVisible();
});

type Answer = { status: number; body: object | null };
type Pressed = { asked: string[]; shown: { body: string; actions: string[] }[] };

/**
 * Presses the button of the notification that is shown. The server answers, or `answers` in its place; without a network
 * each call fails.
 */
const pressShown = (
  worker: Worker,
  action: string,
  given: { answers?: Answer[]; isOffline?: boolean } = {},
): Promise<Pressed> =>
  worker.evaluate(
    async ({ action, answers, isOffline }) => {
      type Notice = { body: string; data: unknown; tag: string; actions: { action: string }[] };
      const scope = self as unknown as Omit<Scope, "registration"> & {
        latest: object;
        fetch: (path: string, init?: RequestInit) => Promise<Response>;
        ask?: (path: string, init?: RequestInit) => Promise<Response>;
        registration: { showNotification(title: string, options: Notice): Promise<void> };
      };
      const pressed: Pressed = { asked: [], shown: [] };
      scope.ask ??= scope.fetch.bind(self);
      const { ask } = scope;
      scope.fetch = async (path, init) => {
        if (path.startsWith("/api/") && path !== "/api/my/notices/read")
          pressed.asked.push(`${init?.method} ${path} ${init?.body ?? ""}`);
        if (isOffline) throw new TypeError("Failed to fetch");
        const answer = answers?.shift();
        return answer
          ? new Response(answer.body && JSON.stringify(answer.body), { status: answer.status })
          : ask(path, init);
      };
      scope.registration.showNotification = async (title, options) => {
        scope.latest = { title, ...options, close() {} };
        pressed.shown.push({ body: options.body, actions: options.actions?.map((one) => one.action) ?? [] });
      };
      const waited: Promise<unknown>[] = [];
      const waitUntil = (work: Promise<unknown>) => void waited.push(work);
      const event = new Event("notificationclick");
      scope.dispatchEvent(Object.assign(event, { notification: scope.latest, action, waitUntil }));
      await Promise.all(waited);
      return pressed;
    },
    { action, ...given },
  );

/** The key of a local run, under which its server signs reminders (workers/adapters/vault.ts). */
const KEY = Buffer.from("Ym90aHktZGV2ZWxvcG1lbnQta2V5LW5vdC1zZWNyZXQ=", "base64");
function tokenOf(content: object): string {
  const body = Buffer.from(JSON.stringify(content)).toString("base64url");
  const key = Buffer.from(hkdfSync("sha256", KEY, "", "sign", 32));
  return `${body}.${createHmac("sha256", key).update(`reminder:${body}`).digest("base64url")}`;
}

test("W-01 W-02 the buttons of a reminder log without a page, offer Undo for ten minutes, and wait without a network", async ({
  page,
  context,
}) => {
  const username = await signUpQuickly(page, "presser");
  const id = await makeGoal(page, { title: "Read the map", unit: "pages", amount: 300 });
  await page.goto(`/my/goals/${id}`);
  await waitForHydration(page);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const worker = await serviceWorker(page);
  const day = new Date().toISOString().slice(0, 10);
  const uuid = crypto.randomUUID();
  const buttons = [{ uuid: "", amount: 10_000, distance: 5_000_000, duration: null }];
  const [user, now] = [await idOf(username), Date.now()];
  const content = { user, goal: id, day, until: now + 86_400_000, uuid, buttons, canSkip: true };
  const press = {
    token: tokenOf(content),
    by: username,
    about: "Read the map",
    actions: [
      { action: "0", title: "+10 pages" },
      { action: "skip", title: "Skip today" },
    ],
  };
  const push = {
    title: "Bothy",
    body: "It is time for Read the map.",
    key: await remind(user, id),
    url: `/my/goals/${id}/log`,
    press,
  };
  const show = async () => {
    await worker.evaluate(() => {
      const scope = self as unknown as { latest: unknown; registration: { showNotification: unknown } };
      scope.latest = null;
      scope.registration.showNotification = async (title: string, options: object) => {
        scope.latest = { title, ...options, close() {} };
      };
    });
    await deliver(page, push);
    await expect
      .poll(() => worker.evaluate(() => (self as unknown as { latest: unknown }).latest))
      .toMatchObject({
        body: push.body,
        actions: press.actions,
      });
  };

  // The server logs, and takes it back. Days after the last page the cookie of the token is gone.
  const live = press.token;
  const ownButtons = [{ uuid: "", amount: 10_000, distance: null, duration: null }];
  press.token = tokenOf({ ...content, uuid: crypto.randomUUID(), buttons: ownButtons });
  await context.clearCookies({ name: "XSRF-TOKEN" });
  await show();
  expect(await unread(page)).toBe(1);
  expect(await pressShown(worker, "0")).toEqual({
    asked: [`POST /api/my/reminders/press ${JSON.stringify({ token: press.token, press: "0" })}`],
    shown: [{ body: "+10 pages, 10 of 300", actions: ["undo"] }],
  });
  expect(await unread(page)).toBe(0);
  expect(await readGoal(page, id)).toMatchObject({ amount_elapsed: 10, logs_count: 1 });
  expect((await pressShown(worker, "undo")).shown).toEqual([{ body: "Undone.", actions: [] }]);
  expect(await readGoal(page, id)).toMatchObject({ amount_elapsed: 0, logs_count: 0 });
  press.token = live;

  // A refusal is one sentence.
  await show();
  const refusal = { status: 402, body: { message: "You're out of tokens" } };
  expect((await pressShown(worker, "0", { answers: [refusal, refusal] })).shown).toEqual([
    { body: "You're out of tokens", actions: [] },
  ]);

  await show();
  const skipped = await pressShown(worker, "skip");
  expect(skipped.shown).toEqual([{ body: "Skipped. Your streak stays.", actions: ["undo"] }]);
  const back = await pressShown(worker, "undo");
  expect([back.asked[0], back.shown[0]?.body]).toEqual([
    expect.stringContaining('"press":"unskip"'),
    "This day is no longer skipped.",
  ]);

  // Without a network it waits, and is sent by the page, once.
  await context.setOffline(true);
  for (let n = 0; n < 2; n++) {
    await show();
    expect((await pressShown(worker, "0", { isOffline: true })).shown[0]?.body).toContain("This waits here");
  }
  const outbox = page.getByRole("region", { name: "Outbox" });
  await expect(outbox.getByText("2 entries wait")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("2 entries are stored.")).toBeVisible();
  expect(await readGoal(page, id)).toMatchObject({ amount_elapsed: 10, logs_count: 1 });

  // A reminder that is over is not held.
  expect((await call(page, "POST", `/api/goals/${id}/complete`)).status()).toBe(200);
  press.token = tokenOf({ ...content, until: now - 1 });
  await context.setOffline(true);
  await show();
  expect((await pressShown(worker, "0", { isOffline: true })).shown).toEqual([
    { body: "This reminder is over. The goal's page still logs.", actions: [] },
  ]);
  await expect(outbox).toBeHidden();

  // A press that waits while the goal is completed elsewhere is refused, and stays in sight.
  press.token = tokenOf({ ...content, uuid: crypto.randomUUID() });
  await show();
  await pressShown(worker, "0", { isOffline: true });
  await expect(outbox.getByText("One entry waits")).toBeVisible();
  await context.setOffline(false);
  await expect(outbox.getByText("This goal is completed, so nothing was logged.")).toBeVisible();
  expect(await readGoal(page, id)).toMatchObject({ amount_elapsed: 10, logs_count: 1 });
  press.token = live;

  // Eleven minutes later Undo is over.
  await show();
  const logged = { status: 200, body: { text: "+10 pages", log: { id: 5 } } };
  await pressShown(worker, "0", { answers: [logged, logged] });
  await worker.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 11 * 60_000;
  });
  const late = await pressShown(worker, "undo");
  expect([late.asked, late.shown[0]?.body]).toEqual([[], expect.stringContaining("ten minutes")]);
});
