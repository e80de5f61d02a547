// Checks pages with axe (WCAG 2.2 AA) in both themes at both widths: valid HTML, a quiet console, no sideways scroll at
// 320 px. Each page has its own title, description, heading and main landmark.
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { brokenWords } from "./broken-words";
import { drawPages } from "./drawn-pages";
import { call } from "./fixtures";
import { accounts, type PageEntry, type Role } from "./pages";

const AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
type Face = { theme: "light" | "dark"; width: number; height: number; rules: "all" | "colours" };
const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 360, height: 740 };
/** Both themes at both widths. Themes differ only in colours (app/styles/contrast.test.ts), so at each width the first
 *  theme runs every rule and the second only the rules about colours. */
const faces: readonly Face[] = [
  { theme: "light", ...WIDE, rules: "all" },
  { theme: "dark", ...WIDE, rules: "colours" },
  { theme: "dark", ...NARROW, rules: "all" },
  { theme: "light", ...NARROW, rules: "colours" },
];
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];
/** Roles that see the same pages with a few more buttons are checked once at each width, in one theme. */
const facesOf = (role: Role): readonly Face[] =>
  role === "superAdmin" || role === "host" ? faces.filter(({ rules }) => rules === "all") : faces;
/** Browsers that run in parallel. */
const HANDS = 2;

const ruleBook = new StaticConfigLoader({
  extends: ["html-validate:standard", "html-validate:a11y", "html-validate:document"],
  rules: {
    // Rules of style that browsers ignore.
    "attr-case": "off",
    "void-style": "off",
    "attribute-boolean-style": "off",
    "valid-id": ["error", { relaxed: true }],
    "no-redundant-for": "off",
    "no-inline-style": "off",
    // Scripts and styles come from our own origin, with a hash in their name.
    "require-sri": "off",
    "long-title": "off",
    // The progress bar has several colours and shapes, which a native element cannot draw; it has a role.
    "prefer-native-element": "off",
  },
});
const rules = await ruleBook.getConfigFor("");
// All pages share the rules, so they are resolved once.
ruleBook.getConfigFor = () => rules;
const validator = new HtmlValidate(ruleBook);

const complaintsOf = (page: Page): string[] => {
  const heard: string[] = [];
  page.on("console", (message) => {
    const text = message.text();
    if (!["error", "warning"].includes(message.type())) return;
    // The browser logs every error status, even an expected one.
    if (/Failed to load resource.*(401|403|404|409|429|500)/.test(text)) return;
    // Journeys block the service worker of the offline page (playwright.config.ts).
    if (/Service Worker registration blocked by Playwright/.test(text)) return;
    // A preloaded font also counts as unused when the first frame takes seconds; `inspect` counts fonts exactly.
    if (/was preloaded using link preload but not used/.test(text) && text.includes(".woff2")) return;
    heard.push(`console: ${text}`);
  });
  page.on("pageerror", (error) => heard.push(`error: ${error.message}`));
  return heard;
};

type Violation = { id: string; help: string; nodes: { html: string; failureSummary?: string }[] };
type WithAxe = {
  axe?: { run: (context: Document, options: object) => Promise<{ violations: Violation[] }> };
};

/** Injects axe once (legacy mode opens no extra page), then runs it in each face. */
async function runAxe(page: Page, rules: Face["rules"]): Promise<Violation[]> {
  // Only violations, without selectors: axe spends most of its time on reporting everything else.
  const options = { iframes: false, preload: false, selectors: false, resultTypes: ["violations" as const] };
  if (!(await page.evaluate(() => "axe" in window)))
    return (await new AxeBuilder({ page }).setLegacyMode(true).options(options).withTags(AA).analyze())
      .violations;
  const runOnly = rules === "all" ? { type: "tag", values: AA } : { type: "rule", values: COLOUR_RULES };
  return page.evaluate(
    async (asked) => (await (window as WithAxe).axe?.run(document, asked))?.violations ?? [],
    { ...options, runOnly },
  );
}

/** The last elements beyond the end of a page that scrolls sideways; "" if none does. */
const beyondTheEdge = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const root = document.documentElement;
    if (root.scrollWidth <= root.clientWidth) return "";
    const outside = [...document.body.querySelectorAll("*")].filter(
      (element) => element.getBoundingClientRect().right > root.clientWidth + 1,
    );
    return outside
      .slice(-3)
      .map((element) => element.outerHTML.slice(0, 120))
      .join(" | ");
  });

/** Buttons whose text leaves them: cut, or over the neighbour. An ellipsis shows that there is more. */
const cutControls = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("main button, main summary, main a.is-main, dialog button")]
      .filter((one) => one.checkVisibility() && getComputedStyle(one).textOverflow !== "ellipsis")
      .filter((one) => one.clientWidth > 2 && one.scrollWidth > one.clientWidth + 1)
      .map((one) => one.outerHTML.slice(0, 140)),
  );

async function inspect(page: Page, at: string, entry: PageEntry, looks: readonly Face[]): Promise<string[]> {
  const problems: string[] = [];
  const say = (text: string) => problems.push(`${at}: ${text}`);
  const heard = complaintsOf(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const answer = await page.goto(at);
  const unused = await page.evaluate(async () => {
    // Fonts load with the first layout.
    document.body.getBoundingClientRect();
    await document.fonts.ready;
    const used = [...document.fonts].filter(({ status }) => status === "loaded").length;
    return document.querySelectorAll('link[rel="preload"][as="font"]').length - used;
  });
  if (unused > 0) say(`preloads ${unused} fonts that it does not use`);
  if (answer?.status() !== (entry.status ?? 200)) say(`answered ${answer?.status()}`);
  const html = (await answer?.text()) ?? "";
  const report = await validator.validateString(html, at);
  for (const { ruleId, message, column } of report.results.flatMap((result) => result.messages))
    if (!entry.except?.test(ruleId))
      say(`${ruleId}: ${message} … ${html.slice(Math.max(0, column - 40), column + 90)}`);

  // A page of text has no scripts for a visitor, and a stage or an embedded page one of its own.
  await page.waitForFunction(
    () =>
      "__remixRouteModules" in window ||
      !document.querySelector('script[type="module"]:not([src="/stage.js"], [src="/embed.js"])'),
  );
  const facts = await page.evaluate(() => ({
    title: document.title,
    description: document.querySelector<HTMLMetaElement>("meta[name=description]")?.content ?? "",
    headings: document.querySelectorAll("h1").length,
    mains: document.querySelectorAll("main").length,
    language: document.documentElement.lang,
  }));
  if (!entry.title.test(facts.title)) say(`is called "${facts.title}"`);
  if (entry.status === undefined && facts.description.length < 20)
    say(`has the description "${facts.description}"`);
  if (facts.headings !== 1 && !entry.except?.test("h1")) say(`has ${facts.headings} h1`);
  if (facts.mains !== 1) say(`has ${facts.mains} main`);
  if (facts.language !== "en") say(`speaks "${facts.language}"`);

  for (const { theme, width, height, rules } of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    const violations = await runAxe(page, rules);
    for (const { id, help, nodes } of violations.filter(({ id }) => !entry.except?.test(id)))
      for (const node of nodes.slice(0, 3))
        say(
          `${theme} ${width}: ${id}: ${help} … ${node.html.slice(0, 160)} ${node.failureSummary?.split("\n")[1] ?? ""}`,
        );
  }
  for (const word of await brokenWords(page)) say(`breaks at 1280 or 360 ${word}`);
  await page.setViewportSize({ width: 320, height: 640 });
  const wide = await beyondTheEdge(page);
  if (wide) say(`scrolls sideways at 320: ${wide}`);
  for (const word of await brokenWords(page)) say(`breaks at 320 ${word}`);
  // The root's font size doubled, as a reader sets it in the browser.
  for (const { width, height } of [WIDE, { width: 390, height: 844 }]) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    const beyond = await beyondTheEdge(page);
    if (beyond) say(`scrolls sideways at ${width} with text of 200 %: ${beyond}`);
    for (const word of await brokenWords(page)) say(`breaks at ${width} with text of 200 % ${word}`);
    for (const control of await cutControls(page)) say(`cuts at ${width} with text of 200 % ${control}`);
  }
  for (const text of heard) say(text);
  page.removeAllListeners("console");
  page.removeAllListeners("pageerror");
  return problems;
}

type Places = { goal: string; item: string; series: string; host: string };
const addressOf = (at: string, places: Places): string =>
  at.replace(/\{(goal|item|series|host)\}/g, (_, name: keyof Places) => places[name]);

let known: { item: string; series: string } | null = null;
/** The path of a published item and the id of a series, which the demo data lacks. */
async function thingsOfHost(browser: Browser, baseURL: string): Promise<{ item: string; series: string }> {
  if (known) return known;
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  await call(page, "POST", "/login", accounts.host);
  const made = await call(page, "POST", "/items", {
    itemData: { title: "Ropes and knots", content: "A bowline **never** slips.", status: 1 },
  });
  const series = await call(page, "POST", "/api/series", {
    series: {
      rule: "FREQ=MONTHLY;COUNT=1",
      time_zone: "UTC",
      started_at: Date.now() + 86_400_000,
      session: { title: "Evening rounds", duration: 3600 },
    },
  });
  known = { item: (await made.json()).item.path, series: String((await series.json()).series.id) };
  await context.close();
  return known;
}

/** A browser of this role, and the id of one of its goals. */
async function enter(browser: Browser, role: Role, baseURL: string) {
  const context = await browser.newContext({ baseURL });
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.error(`content policy: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  const page = await context.newPage();
  let goal = 0;
  if (role !== "visitor") {
    const { email, password } = accounts[role];
    expect((await call(page, "POST", "/login", { email, password })).status()).toBe(200);
    const mine = await (await page.request.get("/api/my/goals")).json();
    goal = mine.serverData.goals?.[0]?.id ?? mine.serverData.my_goals?.[0]?.id ?? 0;
    if (!goal) {
      const made = await call(page, "POST", "/api/goals/store", {
        challenge: { tasks: [{ title: "Oil the door", action: "Oil", unit: "hinges", amount: 3 }] },
      });
      goal = (await made.json()).goal.id;
    }
  }
  await page.close();
  return {
    context,
    places: { goal: String(goal), ...(await thingsOfHost(browser, baseURL)), host: accounts.host.username },
  };
}

/** Playwright loads this file in several processes, which all draw the same pages by the seed of the first. */
process.env.PAGES_SEED ??= String(Math.floor(Math.random() * 2 ** 31));
const seed = Number(process.env.PAGES_SEED);
const pages = drawPages(seed);
if (process.env.TEST_WORKER_INDEX !== undefined) console.log(`PAGES_SEED=${seed}, ${pages.length} pages`);

for (const role of ["visitor", "member", "host", "superAdmin"] as const) {
  const waiting = pages.filter((page) => page.role === role);
  if (waiting.length === 0) continue;
  test(`the pages of a ${role} are accessible, valid and quiet in both themes at every width`, {
    tag: "@main",
  }, async ({ browser, baseURL }) => {
    test.setTimeout(900_000);
    const { context, places } = await enter(browser, role, baseURL ?? "");
    const problems: string[] = [];
    await Promise.all(
      Array.from({ length: HANDS }, async () => {
        const page = await context.newPage();
        for (let next = waiting.shift(); next; next = waiting.shift())
          problems.push(...(await inspect(page, addressOf(next.at, places), next.entry, facesOf(role))));
      }),
    );
    await context.close();
    expect(problems.join("\n")).toBe("");
  });
}
