// People in browsers: each has a context of their own. `signUpQuickly` registers over the JSON call; the main journey
// goes through the form as people do.
import { type Browser, type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { accounts } from "./pages";

export { expect };

export const PASSWORD = "a long walk to the hut";
let count = 0;
/** Which of the processes at work this is; no two of one run have the same number. */
const worker = (process.env.TEST_WORKER_INDEX ?? "").padStart(2, "0");
/** A name nobody had before: of this second, this process, and how many it gave before. Short, as names that people
 *  choose: a longer word is broken on a phone, which journeys that walk over lists look for. */
export const newName = (start: string): string =>
  `${start}-${String(Math.floor(Date.now() / 1000) % 1e4).padStart(4, "0")}${worker}${count++}`;

async function xsrf(page: Page): Promise<string> {
  const read = async () =>
    (await page.context().cookies()).find((cookie) => cookie.name === "XSRF-TOKEN")?.value;
  if (!(await read())) await page.request.get("/sanctum/csrf-cookie");
  return (await read()) ?? "";
}

/**
 * React has hydrated every control that the page shows, or that `target` holds: whatever is pressed or typed is heard.
 * Parts of a page hydrate one after another, so `main` alone says nothing of a form in it.
 */
export async function alive(page: Page, target = "main, dialog, header"): Promise<void> {
  await page.waitForFunction((places) => {
    const isHydrated = (element: Element) =>
      Object.keys(element).some((key) => key.startsWith("__reactProps"));
    const found = [...document.querySelectorAll(places)];
    const controls = found.flatMap((place) => [
      place,
      ...place.querySelectorAll("form, button, input, textarea, select, summary"),
    ]);
    return found.length > 0 && controls.every(isHydrated);
  }, target);
}

/** Pages of people at another address than the journeys' own server. */
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

/** A call that must succeed; its answer. */
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

export const signIn = (page: Page, account: { email: string; password: string }) =>
  ask(page, "POST", "/login", account);

/** The newest link of that page in the emails of the mailbox to this address. */
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

/** With a confirmed address. */
export async function signUpQuickly(page: Page, start: string): Promise<string> {
  const username = await signUp(page, start);
  const link = await linkTo(page, `${username}@example.com`, "confirm-email");
  const token = new URL(link).searchParams.get("token") ?? "";
  const { origin } = new URL(link);
  const form = { intent: "confirm", token, stay: "1" };
  const answer = await page.request.post(link, { form, headers: { Origin: origin } });
  expect(answer.status(), await answer.text()).toBe(200);
  return username;
}

/** With an address that is not confirmed. */
export async function signUp(page: Page, start: string): Promise<string> {
  const username = newName(start);
  const answer = await call(page, "POST", "/register", {
    name: username,
    first_name: "",
    last_name: "",
    email: `${username}@example.com`,
    username,
    password: PASSWORD,
    password_confirmation: PASSWORD,
    terms: true,
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return username;
}

export type Person = { page: Page; context: BrowserContext; username: string };

/** A signed-up person in a browser of their own. */
export async function newPerson(
  browser: Browser,
  start: string,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<Person> {
  const context = await browser.newContext({ baseURL: base.info().project.use.baseURL ?? "", ...options });
  const page = await context.newPage();
  if (options.baseURL) homes.set(page, options.baseURL);
  watchConsole(page);
  const username = await signUpQuickly(page, start);
  return { page, context, username };
}

const complaints = new WeakMap<Page, string[]>();
/** Collects console errors and page errors; `expectQuiet` fails on any that nobody expected. */
export function watchConsole(page: Page): void {
  const list: string[] = [];
  complaints.set(page, list);
  page.on("console", (message) => {
    // The browser itself logs a failed request; the page's own word about it is what counts. And Remix logs a page's
    // data that was called off on its way, as one went on to another: who is quick, or a machine that is slow.
    const isKnown = /Failed to load resource|WebSocket connection|^AbortError: signal is aborted/;
    if (message.type() === "error" && !isKnown.test(message.text())) list.push(message.text());
  });
  page.on("pageerror", (error) => list.push(String(error)));
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
  /** The demo's. */
  superAdmin: async ({ browser, baseURL }, use) => {
    const context = await browser.newContext({ baseURL });
    const page = await context.newPage();
    watchConsole(page);
    await signIn(page, accounts.superAdmin);
    await use({ page, context, username: accounts.superAdmin.username });
    await context.close();
  },
});
