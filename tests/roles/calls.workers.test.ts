// The role matrix of the calls: every call × every role × theirs, own, missing, compared with its line in calls.ts; and
// the ids of people in the answers.
import { beforeAll, expect, test } from "vitest";
import { newLogin } from "#tests/support/factories";
import { api } from "#workers/api";
import { STATUS_OF } from "~/domain/errors";
import { EVENTS } from "~/domain/notices/event-rules";
import type { EventKind } from "~/domain/notices/events";
import { instant, MINUTE } from "~/domain/time";
import { calls } from "~/wire/calls";
import openApi from "~/wire/openapi.json";
import { findUnknownFields } from "~/wire/unknown-fields";
import { ask, callAs, ORIGIN } from "../support/ask";
import { type CallName, everyCall } from "../support/every-call";
import { BODIES, CALL_ROWS, QUERIES } from "./calls";
import {
  type Actor,
  assemble,
  type Cast,
  type Cell,
  confirmAddressOf,
  isAsked,
  type Thing,
  wrongCells,
} from "./cast";
import { findRefusedRenderings } from "./renderings";
import { cellsOf, isForSuperAdminsAlone } from "./table";
import { shelf } from "./things";
import { FIRST_ID, furnish, userIdIn } from "./user-ids";
import { OTHERS, seenKinds, WRITES, watchEvents } from "./writes";

let cast: Cast;
let things: ReturnType<typeof shelf>;
beforeAll(async () => {
  cast = await assemble(FIRST_ID);
  things = shelf(cast, furnish);
  await watchEvents();
  // Fills the pool, so that every role can redeem.
  await callAs(cast.of("super"), "POST", "/tokens/tokens/add-free", { amount: 20_000 });
});

const NAMES = [...Object.keys(everyCall), "stripeWebhook"];
const rowsOf = (name: string) => CALL_ROWS.filter((row) => row.name === name);

const PIXEL = Uint8Array.from(atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), (letter) =>
  letter.charCodeAt(0),
);
async function upload({ user }: Actor) {
  const form = new FormData();
  form.set("file", new File([PIXEL], "dot.gif", { type: "image/gif" }));
  const cookies = ["XSRF-TOKEN=test-xsrf-token-0123456789", ...(user ? [`login=${user.loginToken}`] : [])];
  const answer = await ask("/upload/a-post", {
    method: "POST",
    headers: { Cookie: cookies.join("; "), Origin: ORIGIN, "X-CSRF-TOKEN": "test-xsrf-token-0123456789" },
    body: form,
  });
  return { status: answer.status, body: (await answer.json()) as { error_code?: string } };
}

/** These calls end the login that sends them. */
const ENDS_LOGIN = ["login", "register", "logout"];

type Body = (body: object) => object;
async function answerOf(name: string, thing: Thing, actor: Actor, dress: Body = (body) => body) {
  if (name === "stripeWebhook") return callAs(actor.user, "POST", "/webhooks/stripe", {});
  if (name === "uploadImage") return upload(actor);
  const { method, path: template } = everyCall[name as CallName];
  const path = template.replace(/\{(\w+)\}/g, (_, placeholder: string) =>
    encodeURIComponent(name === "createSubscription" ? "goals_sub" : String(thing[placeholder])),
  );
  const address = path + (QUERIES[name as CallName]?.(thing) ?? "");
  const body =
    method === "GET" || method === "DELETE"
      ? undefined
      : dress(BODIES[name as CallName]?.(thing, actor) ?? {});
  if (!actor.user || !ENDS_LOGIN.includes(name)) return callAs(actor.user, method, address, body);
  const answer = await callAs({ ...actor.user, ...(await newLogin(actor.user)) }, method, address, body);
  // The calls end every login of a guest.
  await newLogin(actor.user, actor.user.loginToken);
  return answer;
}

/** Translates an answer into the words of the table. */
function said(
  name: string,
  { status, body }: { status: number; body: { error_code?: string } | null },
): string {
  const code = body?.error_code;
  if (code !== undefined)
    return STATUS_OF[code as keyof typeof STATUS_OF] === status ? code : `${code} as ${status}`;
  const call = calls[name as keyof typeof calls];
  const success = call ? call.status : name === "getCsrfCookie" ? 204 : name === "uploadImage" ? 201 : 200;
  return status === success ? "ok" : String(status);
}

const NEED_CONFIRMED = ["notifyParticipants", "setRotaHost"];
/** Calls and the kinds of events that they caused. */
const caused = new Set<string>();

async function askCell({ row, actor, take }: Cell) {
  const thing = await take();
  // The calls of a profile have changed the address of some.
  if (NEED_CONFIRMED.includes(row.name) && actor.user) await confirmAddressOf(actor.user);
  await seenKinds();
  const whole = await answerOf(row.name, thing, actor);
  const answer = said(row.name, whole);
  const id = userIdIn(JSON.stringify(whole.body), actor);
  for (const kind of await seenKinds()) caused.add(`${row.name}: ${kind}`);
  if (answer === "ok" && row.name === "switchPerson" && actor.user)
    await callAs(actor.user, "POST", `/me/persons/${actor.user.username}/switch-to`, {});
  return {
    said: id === undefined ? answer : `${answer} with the id of a person: ${id}`,
    isChange: everyCall[row.name as CallName]?.method !== "GET",
  };
}

test("X-02 the role matrix declares every call, and no other", () => {
  expect(NAMES.filter((name) => rowsOf(name).length === 0)).toEqual([]);
  expect(CALL_ROWS.filter(({ name }) => !NAMES.includes(name)).map(({ name }) => name)).toEqual([]);
  // The path table contains every served call.
  const known = new Set<string>(Object.values(everyCall).map(({ method, path }) => `${method} ${path}`));
  expect(api.filter(({ call }) => !known.has(`${call.method} ${call.path}`))).toEqual([]);
  console.info(
    `role matrix: ${NAMES.length} calls, ${cellsOf(CALL_ROWS)} cells, ${cellsOf(CALL_ROWS, isAsked)} asked`,
  );
});

test.each(NAMES)(
  "X-02 Q-45 %s answers each role as its line says, without ids of people",
  { timeout: 120_000 },
  async (name) => {
    expect(await wrongCells({ cast, things }, rowsOf(name), askCell)).toEqual([]);
  },
);

test("Q-38 a call only for super admins needs a check of 15 minutes", async () => {
  const rows = CALL_ROWS.filter(
    (row) => isForSuperAdminsAlone(row) && everyCall[row.name as CallName]?.method !== "GET",
  );
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(["addFreeTokens", "resetBySlug"]));
  const user = cast.of("super");
  const { loginToken } = await newLogin(user, undefined, instant(Date.now() - 15 * MINUTE));
  const actor: Actor = { role: "super", user: { ...user, loginToken } };
  for (const row of rows) {
    const { status, body } = await answerOf(row.name, await things.take(row.kind, "theirs", actor), actor);
    expect([row.name, status, body.error_code]).toEqual([row.name, 403, "REAUTH_REQUIRED"]);
  }
});

test("R-25 every call that writes to people declares the kinds of its events, and every kind has its door", () => {
  const declared = Object.entries(WRITES).flatMap(([name, kinds]) => kinds.map((kind) => `${name}: ${kind}`));
  expect([...caused].filter((door) => !declared.includes(door)).sort()).toEqual([]);
  const known = [...Object.values(WRITES).flat(), ...OTHERS];
  expect((Object.keys(EVENTS) as EventKind[]).filter((kind) => !known.includes(kind))).toEqual([]);
});

type Operation = {
  operationId: string;
  requestBody?: { content: { "application/json"?: { schema: object } } };
};
/** The calls whose declared body has a text, each with the JSON of its schema. */
const WITH_TEXT = Object.values(openApi.paths)
  .flatMap((methods) => Object.values(methods as Record<string, Operation>))
  .map(
    ({ operationId, requestBody }) =>
      [operationId, JSON.stringify(requestBody?.content["application/json"]?.schema ?? {})] as const,
  )
  .filter(([, schema]) => /"(content|contribution)":/.test(schema));
/** Their text is plain, or for the sessions of a series, of which the matrix has none. */
const PLAIN = ["createMessage", "editMessage", "notifyParticipants", "changeSeries", "showLine"];

/** A body with a text wherever its call may take it. */
function withTexts(value: unknown, texts: object): object {
  const entries = Object.entries(value as object).map(([name, inner]) => {
    if (name === "parts" || typeof inner !== "object" || inner === null) return [name, inner];
    return [name, Array.isArray(inner) ? inner.map((one) => withTexts(one, texts)) : withTexts(inner, texts)];
  });
  return { ...texts, ...Object.fromEntries(entries) };
}

/** A body with texts, without those that the call refuses as fields it does not have (C-01). */
function withKnownTexts(name: CallName, value: object, texts: object): object {
  const dressed = withTexts(value, texts);
  // Paths leave out wrappers, which are the outermost objects of a body: as few of them as do it.
  return [2, 4].reduce((body, depth) => withoutRefused(name, body, texts, depth), dressed);
}

function withoutRefused(name: CallName, body: object, texts: object, wrappers: number): object {
  const refused = findUnknownFields(everyCall[name], body).map((path) =>
    path.split(".").filter((part) => !/^\d+$/.test(part)),
  );
  const isRefused = (field: string, holder: string, depth: number) =>
    refused.some(
      (path) => path.at(-1) === field && (path.at(-2) === holder || (path.length === 1 && depth < wrappers)),
    );
  const without = (inner: unknown, holder: string, depth: number): unknown => {
    if (Array.isArray(inner)) return inner.map((one) => without(one, holder, depth));
    if (typeof inner !== "object" || inner === null) return inner;
    const entries = Object.entries(inner).filter(
      ([field]) => !(field in texts && isRefused(field, holder, depth)),
    );
    return Object.fromEntries(entries.map(([field, one]) => [field, without(one, field, depth + 1)]));
  };
  return without(body, "", 0) as object;
}

test.each(WITH_TEXT)(
  "P7 %s renders no text for a person without the right to its thing",
  { timeout: 120_000 },
  async (name, schema) => {
    const content = "Some *text*.";
    const texts = { content, contribution: content };
    const tasks = schema.includes('"tasks":') ? { tasks: [{ title: "Read", content }] } : {};
    const session = name === "changeSeries" ? { session: { content } } : {};
    const dress: Body = (body) => withKnownTexts(name as CallName, body, { ...texts, ...tasks, ...session });
    const { refused, acceptedRenderings } = await findRefusedRenderings(
      { cast, things },
      rowsOf(name),
      async (_, thing, actor) => said(name, await answerOf(name, thing, actor, dress)),
    );
    expect(refused).toEqual([]);
    expect(acceptedRenderings > 0).toBe(!PLAIN.includes(name));
  },
);
