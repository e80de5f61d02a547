// The role matrix of the pages and their forms, compared with the lines in pages.ts.
import { beforeAll, describe, expect, test } from "vitest";
import { newLogin } from "#tests/support/factories";
import { STATUS_OF } from "~/domain/errors";
import { instant, MINUTE } from "~/domain/time";
import { ask, callAs, ORIGIN } from "../support/ask";
import { pageRoutes } from "../support/route-table";
import { type Actor, assemble, type Cast, confirmAddressOf, isAsked, type Thing, wrongCells } from "./cast";
import { ADDRESS_OF, FORMS, INTENT_ROWS, namedPath, PAGE_ROWS, place } from "./pages";
import { findRefusedRenderings } from "./renderings";
import { cellsOf, isForSuperAdminsAlone, type Row } from "./table";
import { shelf } from "./things";

let cast: Cast;
let things: ReturnType<typeof shelf>;
beforeAll(async () => {
  cast = await assemble();
  things = shelf(cast);
  // Fills the pool, so that every role can redeem.
  await callAs(cast.of("super"), "POST", "/tokens/tokens/add-free", { amount: 20_000 });
});

/** Every path of the route table, once. */
const PATHS = [...new Set(pageRoutes().map(({ path }) => path.slice(1) || "/"))];

/** `file intent` for every intent in the sources of the routes. */
const sources = import.meta.glob<string>(
  ["../../app/routes/**/*.{ts,tsx}", "!../../app/routes/**/*.test.ts"],
  {
    query: "?raw",
    import: "default",
    eager: true,
  },
);
const INTENTS = Object.entries(sources).flatMap(([path, source]) => {
  const file = /routes\/(.+?)(\.server)?\.tsx?$/.exec(path)?.[1] ?? "";
  const named = [...source.matchAll(/(?:^\s*|\{ )"?([\w.-]+)"?: on\(/gm)].map(
    ([, intent]) => `${file} ${intent}`,
  );
  const isBare = /export async function action\(/.test(source);
  return isBare ? [file] : named;
});
/** Route files with forms, and the files that contain their intents. */
const TAKERS = Object.entries(sources).filter(([, source]) =>
  /export (const|async function) action\b/.test(source),
);

const cookie = (token: string | undefined): Record<string, string> =>
  token ? { Cookie: `login=${token}` } : {};

/** A page shows its status, not its error code. */
const PAGE_CODES: Record<number, string> = { 401: "UNAUTHENTICATED", 403: "FORBIDDEN", 404: "NOT_FOUND" };

function saidOfPage(response: Response, thing: Thing): string {
  const { status } = response;
  const location = response.headers.get("Location")?.replace(ORIGIN, "");
  if (location?.startsWith("/?auth=login&next=")) return "sign-in";
  if (location) return namedPath(location.split("?")[0] ?? "", thing);
  if (status < 300) return "ok";
  return PAGE_CODES[status] ?? String(status);
}

async function visitCell(row: Row, thing: Thing, actor: Actor) {
  // `events/:event` without a tab shows the session's details.
  const template = row.name === "events/:event/*" ? "events/:event" : row.name;
  const response = await ask(`/${place(template, thing).replace(/^\//, "")}`, {
    redirect: "manual",
    headers: { ...cookie(actor.user?.loginToken), Accept: "text/html" },
  });
  await response.text();
  return { said: saidOfPage(response, thing), isChange: false };
}

describe("the role matrix of the pages", () => {
  test("R-36 the role matrix declares every page, and no other", () => {
    const declared = new Set(PAGE_ROWS.map(({ name }) => name));
    expect(PATHS.filter((path) => !declared.has(path))).toEqual([]);
    expect([...declared].filter((path) => !PATHS.includes(path))).toEqual([]);
    console.info(
      `role matrix: ${PATHS.length} pages, ${cellsOf(PAGE_ROWS)} cells, ${cellsOf(PAGE_ROWS, isAsked)} asked`,
    );
  });

  test.each(PATHS)("R-36 the role matrix holds for the page %s", { timeout: 120_000 }, async (path) => {
    const rows = PAGE_ROWS.filter(({ name }) => name === path);
    expect(await wrongCells({ cast, things }, rows, visitCell)).toEqual([]);
  });
});

/** These intents end the login that posts them. */
const ENDS_LOGIN = [
  "accounts/auth login",
  "accounts/auth register",
  "accounts/logout",
  "accounts/security end-other-logins",
];

const addressOf = (name: string, thing: Thing): string =>
  place(ADDRESS_OF[name] ?? ADDRESS_OF[name.split(" ")[0] ?? ""] ?? "", thing);

/** Posts a form like Remix's router, which gets the action's result without a page. */
async function postAs(
  name: string,
  thing: Thing,
  actor: Actor,
  { address = addressOf(name, thing), stay = "", texts = {} } = {},
): Promise<string> {
  const [, intent = ""] = name.split(" ");
  const token =
    actor.user && ENDS_LOGIN.includes(name)
      ? (await newLogin(actor.user)).loginToken
      : actor.user?.loginToken;
  const form = {
    ...(intent ? { intent } : {}),
    ...FORMS[name]?.(thing, actor),
    ...texts,
    ...(stay ? { stay } : {}),
  };
  const response = await ask(`${address}.data`, {
    method: "POST",
    redirect: "manual",
    headers: { ...cookie(token), Origin: ORIGIN, Host: new URL(ORIGIN).host },
    body: new URLSearchParams(form),
  });
  // Some end other logins too, or every login of a guest.
  if (actor.user && ENDS_LOGIN.includes(name)) await newLogin(actor.user, actor.user.loginToken);
  const text = await response.text();
  if (response.status < 300) return "ok";
  const code = Object.entries(STATUS_OF).find(
    ([name, of]) => of === response.status && text.includes(`"${name}"`),
  );
  return code?.[0] ?? String(response.status);
}

async function postCell(row: Row, thing: Thing, actor: Actor) {
  const said = await postAs(row.name, thing, actor);
  if (said === "ok" && actor.user && row.name === "accounts/account switch-person")
    await postAs("accounts/account switch-person", { person: actor.user.username }, actor);
  // A new email is unconfirmed; the cast must stay confirmed.
  if (said === "ok" && actor.user && row.name === "accounts/account profile")
    await confirmAddressOf(actor.user);
  return { said, isChange: true };
}

describe("the role matrix of the forms", () => {
  test("R-36 the role matrix declares every intent of every form, and no other", () => {
    const declared = new Set(INTENT_ROWS.map(({ name }) => name));
    expect(INTENTS.filter((intent) => !declared.has(intent))).toEqual([]);
    expect([...declared].filter((intent) => !INTENTS.includes(intent))).toEqual([]);
    // A route whose action is elsewhere must import it from a file that this test has read.
    for (const [path, source] of TAKERS)
      expect(/: on\(|\baction\.server"|async function action\(/.test(source), path).toBe(true);
    const asked = cellsOf(INTENT_ROWS, isAsked);
    console.info(`role matrix: ${INTENTS.length} intents, ${cellsOf(INTENT_ROWS)} cells, ${asked} asked`);
  });

  test.each(INTENTS)("R-36 the role matrix holds for the form %s", { timeout: 120_000 }, async (intent) => {
    const rows = INTENT_ROWS.filter(({ name }) => name === intent);
    expect(await wrongCells({ cast, things }, rows, postCell)).toEqual([]);
  });
});

/** The forms of a visitor that the sign-in of their answer runs. Every other one ends with its refusal. */
const KEPT = [
  "activities/activity follow",
  "huts/hut join",
  "huts/invite enter",
  "my-action goal.create",
  "my-action log.begin",
  "my-action log.create",
  "my-action log.quick",
  "my-action note.create",
  "series/series join",
  "series/series post",
  "series/series standing.take",
  "sessions/action join",
  "sessions/action standing.take",
  "sessions/action wait",
  "huts/forum post",
  "sessions/forum post",
  "sessions/goals-action task.log",
];

describe("the forms of a visitor", () => {
  test("R-93 the list names forms of the product", () => {
    expect(KEPT.filter((name) => !INTENTS.includes(name))).toEqual([]);
  });

  test.each(INTENTS)("R-93 the form %s waits for the sign-in of its answer, or does not", async (name) => {
    const visitor: Actor = { role: "visitor", user: null };
    const [row] = INTENT_ROWS.filter((row) => row.name === name);
    const thing = await things.take(row?.kind ?? "-", "theirs", visitor);
    const [, intent = ""] = name.split(" ");
    const send = async (stay: string) => {
      const response = await ask(addressOf(name, thing), {
        method: "POST",
        redirect: "manual",
        headers: { Accept: "text/html", Origin: ORIGIN, Host: new URL(ORIGIN).host },
        body: new URLSearchParams({ ...(intent && { intent }), ...FORMS[name]?.(thing, visitor), stay }),
      });
      const hasCookie = response.headers.getSetCookie().some((cookie) => /^interrupted=[^;]/.test(cookie));
      return [hasCookie, /name="actToResume" value="[^"]/.test(await response.text())];
    };
    const isKept = KEPT.includes(name);
    expect(await send("")).toEqual([isKept, isKept]);
    // With JavaScript the page itself asks for the sign-in.
    expect(await send("1")).toEqual([false, false]);
  });
});

/** The intents whose forms may have a text. */
const WITH_TEXT = INTENTS.filter(
  (name) =>
    /[ .](create|update|edit|post|save|contribute)$/.test(name) &&
    !/^(accounts|notices|payments|series\/my)/.test(name),
);
/** Their text is plain, or they have none. */
const PLAIN = ["sessions/chat line.edit"];

test.each(WITH_TEXT)(
  "P7 the form %s renders no text for a person without the right to its thing",
  { timeout: 120_000 },
  async (name) => {
    const content = "Some *text*.";
    const texts = { content, contribution: content };
    const rows = INTENT_ROWS.filter((row) => row.name === name);
    const { refused, acceptedRenderings } = await findRefusedRenderings(
      { cast, things },
      rows,
      (_, thing, actor) => postAs(name, thing, actor, { texts }),
    );
    expect(refused).toEqual([]);
    expect(acceptedRenderings > 0).toBe(!PLAIN.includes(name));
  },
);

describe("the check of a super admin's login", () => {
  const rows = INTENT_ROWS.filter(isForSuperAdminsAlone);
  test("Q-38 the matrix has intents only for super admins", () => {
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "safety/admin-account suspend",
        "safety/admin-reports answer",
        "payments/tokens add-free",
      ]),
    );
  });

  test.each(rows.map((row) => [row.name, row] as const))(
    "Q-38 %s needs a check of 15 minutes, however its address is spelled",
    async (name, row) => {
      const user = cast.of("super");
      const { loginToken } = await newLogin(user, undefined, instant(Date.now() - 15 * MINUTE));
      const thing = await things.take(row.kind, "theirs", { role: "super", user });
      const actor: Actor = { role: "super", user: { ...user, loginToken } };
      const address = addressOf(name, thing);
      const spellings = [address, address.replace("/a", "/A"), address.replace("/a", "/%61"), `${address}/`];
      for (const spelling of spellings)
        expect(await postAs(name, thing, actor, { address: spelling, stay: "1" }), spelling).toBe(
          "REAUTH_REQUIRED",
        );
    },
  );
});
