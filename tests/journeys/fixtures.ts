// Fixtures for journeys: each person has a browser context. They are in the database from the start; the journeys about
// registration use its form.
import { randomBytes } from "node:crypto";
import {
  type Browser,
  type BrowserContext,
  test as base,
  expect,
  type Locator,
  type Page,
} from "@playwright/test";
import { passwords } from "../../app/use-cases/accounts/password-hashes.server";
import { withStores } from "../../workers/local/stores.mjs";
import { statementsOf } from "../support/local-people.mjs";
import { accounts } from "./pages";

export { expect };

export const PASSWORD = "a long walk to the hut";
let count = 0;
/** The number of this worker process, unique within a run. */
const worker = (process.env.TEST_WORKER_INDEX ?? "").padStart(2, "0");
/** A unique name: from the second, this process and a counter. Short like real usernames, because a longer word breaks
 *  on a phone, which the journeys over lists would report. */
export const newName = (start: string): string =>
  `${start}-${String(Math.floor(Date.now() / 1000) % 1e4).padStart(4, "0")}${worker}${count++}`;

async function xsrf(page: Page): Promise<string> {
  const read = async () =>
    (await page.context().cookies()).find((cookie) => cookie.name === "XSRF-TOKEN")?.value;
  if (!(await read())) await page.request.get("/sanctum/csrf-cookie");
  return (await read()) ?? "";
}

/**
 * Waits until React has hydrated every control of the page or of `target`, so that no press or key is lost. Parts of
 * a page hydrate separately, so `main` alone says nothing of a form in it.
 */
export async function waitForHydration(page: Page, target = "main, dialog, header"): Promise<void> {
  await page.waitForFunction((places) => {
    const isHydrated = (element: Element) =>
      Object.keys(element).some((key) => key.startsWith("__reactProps"));
    const found = [...document.querySelectorAll(places)];
    const controls = found.flatMap((place) => [
      place,
      ...place.querySelectorAll("form, button, input, textarea, select, summary"),
    ]);
    // The boxes of a rendered text are its own.
    return found.length > 0 && controls.filter((one) => !one.closest(".prose")).every(isHydrated);
  }, target);
  // Effects, which listen for keys, come after.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5000 })));
}

type Box = { x: number; y: number; width: number; height: number };

/** The places of controls in pixels, all read at one moment: a page that scrolls has others a moment later. */
export async function boxesOf(page: Page, controls: Locator[]): Promise<Box[]> {
  const found = await Promise.all(controls.map((one) => one.elementHandle()));
  return page.evaluate(
    (all) =>
      all.map((one) => {
        const { x, y, width, height } = (one as Element).getBoundingClientRect();
        return { x, y, width, height };
      }),
    found,
  );
}

/** The tops of controls, all read at one moment. */
export const topsOf = async (page: Page, controls: Locator[]): Promise<number[]> =>
  (await boxesOf(page, controls)).map(({ y }) => y);

/** The present height of a control; not a number while it has no box. */
export const heightOf = async (control: Locator): Promise<number> =>
  (await control.boundingBox())?.height ?? Number.NaN;
export const widthOf = async (control: Locator): Promise<number> =>
  (await control.boundingBox())?.width ?? Number.NaN;

/** By how many pixels the page scrolls sideways. */
export const sidewaysOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The server knows the time zone of this browser, so that no page loads its data a second time for it. */
export const knowTimeZone = (
  context: BrowserContext,
  zone = base.info().project.use.timezoneId ?? "",
): Promise<void> =>
  context.addCookies([{ name: "tz", value: zone, url: base.info().project.use.baseURL ?? "" }]);

/** Holds requests that match `pattern`, until the returned function has seen one and releases them. */
export async function holdRequests(
  page: Page,
  pattern: RegExp,
  method = "GET",
): Promise<() => Promise<void>> {
  let release = () => {};
  let isAsked = false;
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(pattern, async (route) => {
    if (route.request().method() === method) {
      isAsked = true;
      await isReleased;
    }
    await route.continue().catch(() => {});
  });
  return async () => {
    await expect.poll(() => isAsked, `a request for ${pattern}`).toBe(true);
    release();
  };
}

/** The base URL of pages on another server than the journeys' own. */
const homes = new WeakMap<Page, string>();

/** A JSON call as the person of this page. */
export async function call(page: Page, method: string, path: string, data?: unknown) {
  const home = homes.get(page) ?? base.info().project.use.baseURL ?? "";
  const Origin = page.url() === "about:blank" ? new URL(home).origin : new URL(page.url()).origin;
  return page.request.fetch(path, {
    method,
    data,
    headers: { "X-XSRF-TOKEN": await xsrf(page), Origin },
  });
}

/** A call that must succeed; returns its answer. */
export async function ask<Answer = unknown>(
  page: Page,
  method: string,
  path: string,
  data: unknown = {},
): Promise<Answer> {
  const answer = await call(page, method, path, data);
  expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
  return answer.status() === 204 ? (null as Answer) : ((await answer.json()) as Answer);
}

/** Runs the job of a minute, as the platform does. */
export const minuteCron = async (page: Page, at: number): Promise<void> =>
  expect((await page.request.get(`/cdn-cgi/handler/scheduled?cron=*+*+*+*+*&time=${at}`)).ok()).toBe(true);

export const signIn = (page: Page, account: { email: string; password: string }) =>
  ask(page, "POST", "/login", account);

/** The newest link to `path` in the local mailbox's mails to this address. */
export async function linkTo(page: Page, email: string, path: string): Promise<string> {
  const home = homes.get(page) ?? base.info().project.use.baseURL ?? "";
  const find = async () => {
    const { mails } = (await (await page.request.get(new URL("/local/mailbox.json", home).href)).json()) as {
      mails: { recipient: string; text: string }[];
    };
    const link = new RegExp(`https?://\\S+/account/${path}\\S+`);
    return mails
      .filter(({ recipient }) => recipient === email)
      .map(({ text }) => link.exec(text)?.[0])
      .find(Boolean);
  };
  let link: string | undefined;
  await expect.poll(async () => (link = await find())).toBeTruthy();
  return link ?? "";
}

/** The hash of PASSWORD: to derive it takes a fifth of a second. */
let hashed: Promise<string> | undefined;

/** A new account with a login in this browser, written into the database of the journeys' server or of another. */
async function register(page: Page, start: string, isConfirmed: boolean, dataDir: string): Promise<string> {
  const username = newName(start);
  const token = randomBytes(32).toString("base64url");
  hashed ??= passwords.hash(PASSWORD);
  const passwordHash = await hashed;
  const person = statementsOf({ username, token, now: Date.now(), passwordHash, isConfirmed });
  // Through the server: a second process that writes would make its statements fail.
  await withStores({ isRemote: false, dataDir }, ({ db }) =>
    db.batch(person.map(({ sql, values }) => db.prepare(sql).bind(...values))),
  );
  const url = homes.get(page) ?? base.info().project.use.baseURL ?? "";
  await page.context().addCookies([{ name: "login", value: token, url, httpOnly: true, sameSite: "Lax" }]);
  return username;
}

/** Gives this browser an account with a confirmed email. */
export const signUpQuickly = (page: Page, start: string): Promise<string> =>
  register(page, start, true, process.env.JOURNEY_DATA ?? "");

/** Follows the link of the mail that asks for it. */
export async function confirmEmail(page: Page, email: string): Promise<void> {
  const link = await linkTo(page, email, "confirm-email");
  const token = new URL(link).searchParams.get("token") ?? "";
  const { origin } = new URL(link);
  const form = { intent: "confirm", token, stay: "1" };
  const answer = await page.request.post(link, { form, headers: { Origin: origin } });
  expect(answer.status(), await answer.text()).toBe(200);
}

export type Person = { page: Page; context: BrowserContext; username: string };

/** `dataDir` is that of another server, which `baseURL` names. */
type ContextOptions = Parameters<Browser["newContext"]>[0] & { dataDir?: string };

/** A registered person in a browser of their own. */
export const newPerson = (browser: Browser, start: string, options: ContextOptions = {}): Promise<Person> =>
  personWith(true, browser, start, options);

/** A registered person whose email address is not confirmed, in a browser of their own. */
export const newcomer = (browser: Browser, start: string, options: ContextOptions = {}): Promise<Person> =>
  personWith(false, browser, start, options);

async function personWith(
  isConfirmed: boolean,
  browser: Browser,
  start: string,
  { dataDir = process.env.JOURNEY_DATA ?? "", ...options }: ContextOptions,
): Promise<Person> {
  const context = await browser.newContext({ baseURL: base.info().project.use.baseURL ?? "", ...options });
  const page = await context.newPage();
  if (options.baseURL) homes.set(page, options.baseURL);
  watchConsole(page);
  const username = await register(page, start, isConfirmed, dataDir);
  return { page, context, username };
}

const complaints = new WeakMap<Page, string[]>();
/** Collects console errors and page errors; `expectQuiet` fails on any unexpected error. */
export function watchConsole(page: Page): void {
  const list: string[] = [];
  complaints.set(page, list);
  page.on("console", (message) => {
    // The browser logs each failed request, which the page reports itself.
    const isKnown = /Failed to load resource|WebSocket connection/;
    if (message.type() === "error" && !isKnown.test(message.text())) list.push(message.text());
  });
  page.on("pageerror", (error) => list.push(`${error} at ${page.url()}`));
}
export const expectQuiet = (page: Page, except: RegExp[] = []): void =>
  expect(
    (complaints.get(page) ?? []).filter((text) => !except.some((pattern) => pattern.test(text))),
  ).toEqual([]);

export const test = base.extend<{ host: Person; guest: Person; superAdmin: Person }>({
  host: async ({ browser }, use) => {
    const person = await newPerson(browser, "host");
    await use(person);
    await person.context.close();
  },
  guest: async ({ browser }, use) => {
    const person = await newPerson(browser, "guest");
    await use(person);
    await person.context.close();
  },
  /** The demo's super admin. */
  superAdmin: async ({ browser, baseURL }, use) => {
    const context = await browser.newContext({ baseURL });
    const page = await context.newPage();
    watchConsole(page);
    await signIn(page, accounts.superAdmin);
    await use({ page, context, username: accounts.superAdmin.username });
    await context.close();
  },
});
