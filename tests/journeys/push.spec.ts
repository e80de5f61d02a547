// Pushes in a browser: turned on by a press, shown by the service worker, opened at our own origin.
import { expect, type Page, test, type Worker } from "@playwright/test";
import { PASSWORD, signIn, signUpQuickly, waitForHydration } from "./fixtures";

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
  asked: string[];
  fetch(path: string, init: { body: string }): Promise<void>;
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
    key: "7:reminder",
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
      ({ action, ...data }) =>
        new Promise<string>((resolve) => {
          const scope = self as unknown as Scope;
          scope.clients.openWindow = async (opened) => {
            resolve(opened);
            return null;
          };
          scope.asked = [];
          scope.fetch = async (path, { body }) => {
            scope.asked.push(`${path} ${body}`);
          };
          const notification = { close() {}, tag: "7:reminder", data };
          const event = new Event("notificationclick");
          scope.dispatchEvent(Object.assign(event, { notification, action, waitUntil() {} }));
        }),
      { url, series: push.series, action },
    );
  expect(await press(`${origin}/sessions`)).toBe(`${origin}/sessions`);
  expect(await worker.evaluate(() => (self as unknown as Scope).asked)).toEqual([
    '/api/my/notices/read {"key":"7:reminder"}',
  ]);
  // H-11: the second button leads to all dates of the series.
  expect(await press(`${origin}/sessions`, "series")).toBe(push.series);
  expect(await press("/my/goals")).toBe(`${origin}/my/goals`);
  for (const foreign of ["https://evil.example/x", "javascript:alert(1)", "//evil.example"])
    expect(await press(foreign)).toBe(`${origin}/my/sessions`);

  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await signIn(page, { email: `${username}@example.com`, password: PASSWORD });
  await page.goto("/account");
  await expect(section.getByRole("button", { name: "Turn on notifications" })).toBeVisible();
});
