// Every call that writes, sent once and with its round trips counted (D3); then again: twice and six times at once with one
// key, six times at once with keys of its own, and over the last token (X-07, B-05, B-12). Its table is in rows.ts.
import { env } from "cloudflare:workers";
import { and, eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import * as attempts from "#workers/adapters/attempts";
import { STATUS_OF } from "~/domain/errors";
import { instant, MINUTE } from "~/domain/time";
import { calls } from "~/wire/calls";
import { QUERIES } from "../roles/calls";
import { type Actor, assemble, type Cast } from "../roles/cast";
import { makeThing } from "../roles/things";
import { mostOfWrite } from "../roles/trips";
import { type Answered, callAs } from "../support/ask";
import { type CallName, everyCall } from "../support/every-call";
import { db, makeUser, reload, type TestUser } from "../support/factories";
import { runsOf } from "../support/property-seed";
import { balanceOf } from "../support/sessions";
import { countTrips, fewestTrips } from "../support/trips";
import { differences, growth, type Measures, measure, totals } from "./measure";
import { BEGINS_WITHOUT_TOKENS, BODIES_AGAIN, HOLDS, ROWS, type Row } from "./rows";

const RICH = 5_000_000;
const SENT_BY_VISITORS = ["login", "register"];
const newKey = () => crypto.randomUUID();

let cast: Cast;
beforeAll(async () => {
  cast = await assemble();
  // Fills the pool, so that its tokens can be redeemed.
  await callAs(cast.of("super"), "POST", "/tokens/tokens/add-free", { amount: 20_000 });
});
const logged: string[] = [];
beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation((...said) => void logged.push(said.map(String).join(" ")));
  logged.length = 0;
  vi.spyOn(attempts, "createAttempts").mockReturnValue({
    take: async (key) => void increasedCounters.add(key.slice(0, key.indexOf(":"))),
    giveBack: async () => {},
    clear: async () => {},
  });
  return () => void vi.restoreAllMocks();
});

const isRepeatable = ({ call }: Row) => call in calls && calls[call as keyof typeof calls].isRepeatable;

/** A thing for this row, and the request about it. */
async function stage(row: Row) {
  const user =
    row.as === "stranger" || row.as === "super"
      ? await makeUser({ tokens: RICH, roleId: row.as === "super" ? 10 : 1 })
      : cast.of(row.as);
  const actor: Actor = { role: row.as, user };
  const thing = await makeThing(cast, row.kind, row.target, actor);
  const { method, path: template } = everyCall[row.call];
  const place = (name: string) => (row.call === "createSubscription" ? "goals_sub" : String(thing[name]));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(place(name)));
  const body = BODIES_AGAIN[row.name]?.(thing, actor) ?? (method === "DELETE" ? undefined : {});
  const by = SENT_BY_VISITORS.includes(row.call) ? null : user;
  const send = (key = newKey(), changed: object = {}) =>
    callAs(
      by,
      method,
      path + (QUERIES[row.call]?.(thing) ?? ""),
      body || Object.keys(changed).length > 0 ? { ...body, ...changed } : undefined,
      { "Idempotency-Key": key },
    );
  return { user, send, line: `${method} ${template}` };
}

/** An answer in the words of the table. */
function answerWord({ status, body }: Answered): string {
  const code = body?.error_code;
  if (code === undefined) return status < 300 ? "ok" : String(status);
  return STATUS_OF[code as keyof typeof STATUS_OF] === status ? code : `${code} as ${status}`;
}
/** Expects only answers that the row permits, and no failure without a code. */
function expectPermitted(row: Row, answers: Answered[], more: string[] = []) {
  const odd = answers.filter((answer) => ![row.first, ...row.others, ...more].includes(answerWord(answer)));
  expect([odd.map(({ body }) => body), logged.filter((line) => line.includes("unknown-error"))]).toEqual([
    [],
    [],
  ]);
  expect(answers.map(answerWord)).toContain(row.first);
}

/** The counters of attempts that the present request has increased. */
const increasedCounters = new Set<string>();
const countedBy = new Map<CallName, Set<string>>();

type Sent = { grown: Measures; trips: number; said: string };
/** The first request of each row, which no other accompanies, by the name of the row. */
const firstSends = new Map<string, Promise<Sent>>();
const sendFirst = (row: Row): Promise<Sent> => {
  const known = firstSends.get(row.name);
  if (known) return known;
  const sent = (async () => {
    const { send } = await stage(row);
    const before = await totals();
    increasedCounters.clear();
    const { trips, answer } = await countTrips(() => send());
    if (row.first === "ok" && everyCall[row.call].limits.length > 0)
      countedBy.set(row.call, new Set([...(countedBy.get(row.call) ?? []), ...increasedCounters]));
    return { grown: growth(before, await totals()), trips, said: answerWord(answer) };
  })();
  firstSends.set(row.name, sent);
  return sent;
};
/** How one request changes the totals. */
const growthOfOne = async (row: Row): Promise<Measures> => (await sendFirst(row)).grown;

const times = (growth: Measures, n: number): Measures =>
  Object.fromEntries(Object.entries(growth).map(([name, value]) => [name, value * n]));

const rowOf = (user: TestUser, key: string) =>
  and(eq(schema.repeatedRequests.userId, user.id), eq(schema.repeatedRequests.key, `key:${key}`));
const storedOf = (user: TestUser, key: string) =>
  db.select().from(schema.repeatedRequests).where(rowOf(user, key));

test("X-07 every call that writes has its line here, and no other has", () => {
  const writing = (Object.keys(everyCall) as CallName[]).filter((name) => everyCall[name].method !== "GET");
  expect([...new Set(ROWS.map(({ call }) => call))].sort()).toEqual(writing.sort());
  expect(new Set(ROWS.map(({ name }) => name)).size).toBe(ROWS.length);
  const bodies = Object.keys(BODIES_AGAIN).filter((name) => name.includes(" "));
  expect(bodies.filter((name) => !ROWS.some((row) => row.name === name))).toEqual([]);
});

describe.each(ROWS)("X-07 $name", (row) => {
  test("one request has the effect of the table", async () => {
    const one = await growthOfOne(row);
    expect(Object.fromEntries(Object.keys(HOLDS[row.name] ?? {}).map((name) => [name, one[name]]))).toEqual(
      HOLDS[row.name] ?? {},
    );
    expect(Math.max(0, -(one["token_lots.remaining"] ?? 0))).toBe(row.price);
  });

  test("again with its key gives the same answer and changes nothing", async () => {
    const { user, send, line } = await stage(row);
    const key = newKey();
    const first = await send(key);
    expect(answerWord(first), JSON.stringify(first.body)).toBe(row.first);
    const before = await measure();
    const second = await send(key);
    expectPermitted(row, [first, second]);
    if (!isRepeatable(row)) {
      if (row.atOnce === "one") expect(differences(before, await measure())).toEqual([]);
      return;
    }
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    expect(differences(before, await measure())).toEqual([]);
    const other = await send(key, { client_uuid: crypto.randomUUID() });
    expect([other.status, other.body.error_code], "R-50").toEqual([409, "CONFLICT"]);

    // The run died before its answer was stored. A write to D1 stores the key with it; a write to only the room stores none.
    const [kept] = await storedOf(user, key);
    const isInRecord = !/messages|events-groups|\/parts$|\/join$|\/contribute-content$/.test(line);
    if (kept && isInRecord)
      await db
        .update(schema.repeatedRequests)
        .set({ status: null, answer: null, createdAt: instant(Date.now() - MINUTE) })
        .where(rowOf(user, key));
    else await db.delete(schema.repeatedRequests).where(rowOf(user, key));
    const again = await send(key);
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(differences(before, await measure())).toEqual([]);
    expect((await storedOf(user, key))[0]?.status).toBe(first.status);
  });

  test("six times at once with one key acts once", async () => {
    const one = await growthOfOne(row);
    const { user, send } = await stage(row);
    const key = newKey();
    const before = await totals();
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(key)));
    expectPermitted(row, answers);
    const isOnce = isRepeatable(row) || row.atOnce === "one";
    expect(growth(before, await totals())).toEqual(isOnce ? one : times(one, 6));
    if (!isRepeatable(row)) return;
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      answers.map(() => [answers[0]?.status, answers[0]?.body]),
    );
    expect(await storedOf(user, key)).toHaveLength(1);
  });

  test(`six times at once with other keys has the effect of ${row.atOnce}`, async () => {
    const one = await growthOfOne(row);
    const { user, send } = await stage(row);
    const before = await totals();
    const answers = await Promise.all(Array.from({ length: 6 }, () => send()));
    expectPermitted(row, answers);
    expect(growth(before, await totals())).toEqual(row.atOnce === "one" ? one : times(one, 6));
    // Lots and entries agree.
    await balanceOf(user);
  });
});

test.each(ROWS.filter(({ first }) => first === "ok"))(
  "D3 the call $name waits for no more round trips than its declared ones",
  async (row) => {
    const most = mostOfWrite(row.name);
    const first = await sendFirst(row);
    expect(first.said).toBe("ok");
    if (first.trips <= most) return;
    const stageAgain = async () => {
      const { send } = await stage(row);
      return async () => answerWord(await send());
    };
    const { trips, answer } = await fewestTrips(most, stageAgain);
    expect([answer, trips <= most ? "few" : trips]).toEqual(["ok", "few"]);
  },
);

/** Leaves the user's lots this many hundredths, as if granted no more. */
const leaveTokens = (user: TestUser, left: number) =>
  env.DB.prepare(
    "UPDATE token_lots SET granted = granted - remaining + ?1, remaining = ?1 WHERE user_id = ?2",
  )
    .bind(left, user.id)
    .run();

describe("B-12 B-05 over the last token", () => {
  test.each(ROWS.filter(({ price }) => price > 0))(
    "$name spends it once",
    { timeout: 300_000 },
    async (row) => {
      const one = await growthOfOne(row);
      const many = row.name === "createNote" ? 200 : 12;
      for (let round = 0; round < runsOf(50, 1); round++) {
        const { user, send } = await stage(row);
        await leaveTokens(user, row.price);
        const before = await totals();
        const answers = await Promise.all(Array.from({ length: many }, () => send()));
        expectPermitted(row, answers, ["INSUFFICIENT_TOKENS"]);
        const won = answers.filter(({ status }) => status < 300);
        const spent = growth(before, await totals());
        expect(spent["token_lots.remaining"]).toBe(-row.price);
        if (BEGINS_WITHOUT_TOKENS.has(row.name)) expect(spent.sessions).toBe(one.sessions);
        else expect([spent, row.atOnce === "one" || won.length]).toEqual([one, row.atOnce === "one" || 1]);
        expect([await balanceOf(user), (await reload(user))?.tokens]).toEqual([0, 0]);
      }
    },
  );
});

/** These count in cases that the table does not send, such as an activity by slug, a mute or a ban. */
const COUNT_SOMETIMES = [
  "changeParticipant",
  "confirmPractice",
  "deleteBySlug",
  "removeAim",
  "removeParticipant",
  "resetBySlug",
];

test("R-25 each call that declares a counter counts a request that succeeds", async () => {
  for (const row of ROWS) await growthOfOne(row);
  const silent = [...countedBy].flatMap(([name, counters]) => (counters.size === 0 ? [name] : []));
  expect(silent.sort()).toEqual(COUNT_SOMETIMES);
});
