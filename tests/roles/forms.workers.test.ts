// The role matrix of the forms, compared with the lines in pages.ts; the round trips of each form (D3) and the ids in the
// answers.
import { beforeAll, describe, expect, test } from "vitest";
import { newLogin, setUser } from "#tests/support/factories";
import { STATUS_OF } from "~/domain/errors";
import { instant, MINUTE } from "~/domain/time";
import { ROWS } from "../again/rows";
import { ask, callAs, ORIGIN } from "../support/ask";
import { fewestTrips } from "../support/trips";
import {
  type Actor,
  assemble,
  type Cast,
  type Cell,
  confirmAddressOf,
  isAsked,
  ROLES,
  type Role,
  type Target,
  type Thing,
  wrongCells,
} from "./cast";
import { ADDRESS_OF, FORMS, INTENT_ROWS } from "./forms";
import { place } from "./pages";
import { findRefusedRenderings } from "./renderings";
import { cellsOf, isForSuperAdminsAlone, type Row } from "./table";
import { shelf } from "./things";
import { LONGER_WRITES, mostOfWrite } from "./trips";
import { FIRST_ID, userIdIn } from "./user-ids";

let cast: Cast;
let things: ReturnType<typeof shelf>;
beforeAll(async () => {
  cast = await assemble(FIRST_ID);
  things = shelf(cast);
  // Fills the pool, so that every role can redeem.
  await callAs(cast.of("super"), "POST", "/tokens/tokens/add-free", { amount: 20_000 });
});

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

/** These intents end the login that posts them. */
const ENDS_LOGIN = [
  "accounts/auth login",
  "accounts/auth register",
  "accounts/logout",
  "accounts/security end-other-logins",
];

/** Its refusal gives back the key that was sent, which begins with the id of a user. */
const GIVES_BACK_AN_ID = ["safety/admin-deliveries send-again"];

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
  const code = Object.entries(STATUS_OF).find(
    ([name, of]) => of === response.status && text.includes(`"${name}"`),
  );
  const said = response.status < 300 ? "ok" : (code?.[0] ?? String(response.status));
  const id = GIVES_BACK_AN_ID.includes(name) ? undefined : userIdIn(text, actor);
  return id === undefined ? said : `${said} with the id of a person: ${id}`;
}

const USERS_CELLS = (["theirs", "own"] as const).flatMap((target) =>
  ROLES.filter((role) => role !== "visitor").map((role) => ({ target, role })),
);
/** The first cell in which the form of a line succeeds for a user: it is always asked, and its round trips are counted. */
const COUNTED = new Map(
  INTENT_ROWS.flatMap((row) => {
    const first = USERS_CELLS.find(({ target, role }) => row.expected(target, role) === "ok");
    return first ? [[row, first] as const] : [];
  }),
);
const isCounted = (row: Row, target: Target, role: Role): boolean =>
  COUNTED.get(row)?.target === target && COUNTED.get(row)?.role === role;
const isPosted = (row: Row, target: Target, role: Role): boolean =>
  isAsked(row, target, role) || isCounted(row, target, role);

async function postCell({ row, target, actor, take, takeNew }: Cell) {
  const stage = async () => {
    const thing = await takeNew();
    return () => postAs(row.name, thing, actor, { stay: "1" });
  };
  const most = mostOfWrite(row.name);
  const { trips, answer: said } = isCounted(row, target, actor.role)
    ? await fewestTrips(most, stage)
    : { trips: 0, answer: await postAs(row.name, await take(), actor) };
  if (said === "ok" && actor.user && row.name === "accounts/account switch-person")
    await setUser(actor.user.id, { personId: actor.user.personId });
  // A new email is unconfirmed; the cast must stay confirmed.
  if (said === "ok" && actor.user && row.name === "accounts/account profile")
    await confirmAddressOf(actor.user);
  return { said: trips > most ? `${said} after ${trips} round trips` : said, isChange: true };
}

describe("the role matrix of the forms", () => {
  test("R-36 the role matrix declares every intent of every form, and no other", () => {
    const declared = new Set(INTENT_ROWS.map(({ name }) => name));
    expect(INTENTS.filter((intent) => !declared.has(intent))).toEqual([]);
    expect([...declared].filter((intent) => !INTENTS.includes(intent))).toEqual([]);
    // A route whose action is elsewhere must import it from a file that this test has read.
    for (const [path, source] of TAKERS)
      expect(/: on\(|\baction\.server"|async function action\(/.test(source), path).toBe(true);
    const asked = cellsOf(INTENT_ROWS, isPosted);
    console.info(`role matrix: ${INTENTS.length} intents, ${cellsOf(INTENT_ROWS)} cells, ${asked} asked`);
  });

  test.each(INTENTS)(
    "R-36 Q-45 D3 the form %s answers each role as its line says, in few round trips, without ids of people",
    { timeout: 120_000 },
    async (intent) => {
      const rows = INTENT_ROWS.filter(({ name }) => name === intent);
      expect(await wrongCells({ cast, things }, rows, postCell, isPosted)).toEqual([]);
    },
  );
});

test("D3 every exception names a call or form of the tables, once", () => {
  const names = new Set([...ROWS, ...COUNTED.keys()].map(({ name }) => name));
  const given = Object.values(LONGER_WRITES).flatMap((group) => Object.keys(group));
  expect(given.filter((name) => !names.has(name))).toEqual([]);
  expect(new Set(given).size).toBe(given.length);
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
