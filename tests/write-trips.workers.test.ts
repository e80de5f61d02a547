// How often the answer of each call and each form that writes waits for D1 (D3), from the tables of tests/again and of the
// role matrix. The ones that wait longer than a tap are named with their number, which may only fall, and the reason.
import { beforeAll, expect, test } from "vitest";
import type { Call } from "~/wire/call";
import { BODIES_AGAIN, ROWS, type Row } from "./again/rows";
import { QUERIES } from "./roles/calls";
import { type Actor, assemble, type Cast, confirmAddressOf, ROLES, type Role } from "./roles/cast";
import { ADDRESS_OF, FORMS, INTENT_ROWS, place } from "./roles/pages";
import type { Row as RoleRow } from "./roles/table";
import { makeThing } from "./roles/things";
import { ask, callAs, ORIGIN } from "./support/ask";
import { everyCall } from "./support/every-call";
import { makeUser, newLogin, setUser } from "./support/factories";
import { fewestTrips } from "./support/trips";

/** The login, a read and a batch. */
const MOST = 3;
/** The ones that wait longer, by the reason: those of calls with `keyFirst` without the read of their key. */
const LONGER: Record<string, Record<string, number>> = {
  "D3 gives a join four": {
    joinBySlug: 4,
    "sessions/action join": 4,
    "sessions/action sit-in": 4,
    "series/series join": 4,
  },
  "the card provider answers between the steps, and each step is stored before the next": {
    purchaseTokens: 4,
    confirmPractice: 4,
    createSubscription: 12,
    cancelSubscription: 6,
    addPaymentMethod: 5,
    "accounts/account cancel-subscription": 6,
    "accounts/account resume-subscription": 12,
  },
  "the address says first whether it is an activity or a session": {
    leaveBySlug: 4,
    deleteBySlug: 4,
    resetBySlug: 4,
    updateActivity: 5,
    patchActivity: 5,
  },
  "the address of a series says first which session it opens": { "series/series post": 4 },
  "the answer is what a page reads after the write": {
    updateItem: 4,
    "items/action item.update": 4,
    "items/action item.publish": 4,
    "items/action item.step": 5,
    createParaphrase: 4,
    updateParaphrase: 5,
    "items/snippet paraphrase.create": 4,
    "items/snippet paraphrase.update": 5,
    "activities/form update": 5,
    joinHut: 4,
    updateHut: 5,
    attachActivity: 4,
    "huts/form update": 5,
    "huts/hut join": 4,
    "huts/hut attach": 4,
    "huts/invite enter": 4,
  },
  "a free address is looked for, and the answer is read after the write": {
    createItem: 4,
    createActivity: 4,
    "createActivity with a uuid": 4,
    createHut: 4,
    "items/action item.create": 4,
    "activities/form create": 4,
    "huts/form create": 4,
  },
  "a session reads its sources and a free address, and its answer after the write": {
    createSession: 5,
    "createSession with a uuid": 5,
    repeatSession: 6,
    "sessions/create create": 5,
    "sessions/action repeat": 6,
  },
  "a plan is laid out for the people after the write, and a free place goes to the next": {
    patchSession: 5,
    saveSessionParts: 5,
    removeParticipant: 4,
    "sessions/update update": 5,
    "sessions/chat slow-mode": 5,
    "sessions/people remove": 5,
    "sessions/action end": 5,
  },
  "a part belongs to a plan and to goals, each read before its write": {
    addPart: 4,
    "addPart with a goal": 6,
    updatePart: 6,
    reorderParts: 4,
    "sessions/goals-action task.create": 6,
    "sessions/goals-action task.update": 6,
    "sessions/goals-action task.delete": 4,
  },
  "the words of a session's goal need the right to write there": { "my-action goal.update": 4 },
  "rights come before the look for the person": {
    changeHutMember: 4,
    "huts/members accept": 4,
    "huts/members refuse": 4,
    "huts/members mute": 4,
    "huts/members ban": 6,
    "huts/members let-in": 4,
    "huts/members role": 4,
    "huts/members hand-over": 5,
  },
  "the sessions and the plan of a suspended person are found after the login has ended": {
    "safety/admin-account suspend": 6,
  },
  "the series and the sessions ahead of a private hut end before the hut goes": { "huts/form delete": 6 },
  "the rooms of both people hear of it before the answer": { blockPerson: 4, "safety/blocks block": 4 },
  "the sessions of an activity are found before they are reset": { "activities/activity reset": 4 },
  "a series lays out its sessions one after the other, each with its price, and answers with its page": {
    createSeries: 11,
    changeSeries: 4,
    changeSeriesDay: 5,
    endSeries: 4,
    setRotaHost: 4,
    acceptTurn: 4,
    takeStandingSeat: 4,
    "series/my-series-list create": 12,
    "series/my-series pause": 4,
    "series/my-series resume": 4,
    "series/my-series end": 4,
    "series/my-series rule": 14,
    "series/my-series host.invite": 4,
    "series/my-series host.accept": 4,
    "series/my-series host.move": 6,
    "series/my-series day.skip": 5,
    "series/my-series day.take-up": 12,
    "series/my-series day.move": 6,
    "sessions/action standing.take": 4,
  },
};
const LIMITS = new Map(Object.values(LONGER).flatMap((names) => Object.entries(names)));

let cast: Cast;
beforeAll(async () => {
  cast = await assemble();
  // Fills the pool, so that its tokens can be redeemed.
  await callAs(cast.of("super"), "POST", "/tokens/tokens/add-free", { amount: 20_000 });
});

/** A call with a key that is read before its work waits once more, for the reason in its declaration. */
const mostOf = (name: string): number => {
  const { keyFirst } = (everyCall as Record<string, Partial<Call>>)[name.split(" ")[0] ?? ""] ?? {};
  return (LIMITS.get(name) ?? MOST) + (keyFirst === undefined ? 0 : 1);
};

async function stageCall(row: Row) {
  const user =
    row.as === "stranger" || row.as === "super"
      ? await makeUser({ tokens: 5_000_000, roleId: row.as === "super" ? 10 : 1 })
      : cast.of(row.as);
  const actor: Actor = { role: row.as, user };
  const thing = await makeThing(cast, row.kind, row.target, actor);
  const { method, path: template } = everyCall[row.call];
  const value = (name: string) => (row.call === "createSubscription" ? "goals_sub" : String(thing[name]));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(value(name)));
  const body = BODIES_AGAIN[row.name]?.(thing, actor) ?? (method === "DELETE" ? undefined : {});
  const by = row.call === "login" || row.call === "register" ? null : user;
  const key = { "Idempotency-Key": crypto.randomUUID() };
  return async () => {
    const { status } = await callAs(by, method, path + (QUERIES[row.call]?.(thing) ?? ""), body, key);
    expect(status < 300 ? "ok" : status).toBe("ok");
  };
}

/** The first cells of the role matrix in which a form succeeds. */
const CELLS = INTENT_ROWS.flatMap((row) => {
  const targets = ["theirs", "own"] as const;
  const cells = targets.flatMap((target) => ROLES.map((role) => ({ row, target, role })));
  return cells.find(({ target, role }) => role !== "visitor" && row.expected(target, role) === "ok") ?? [];
});

async function stageForm({ row, target, role }: { row: RoleRow; target: "theirs" | "own"; role: Role }) {
  const user = cast.of(role);
  const actor: Actor = { role, user };
  // One of the forms switches the person.
  await setUser(user.id, { personId: user.personId });
  // Another changes the address, which is unconfirmed then.
  await confirmAddressOf(user);
  const thing = await makeThing(cast, row.kind, target, actor);
  const { loginToken: login } = await newLogin(user);
  const [file = "", intent = ""] = row.name.split(" ");
  const address = place(ADDRESS_OF[row.name] ?? ADDRESS_OF[file] ?? "", thing);
  const form = { ...(intent ? { intent } : {}), ...FORMS[row.name]?.(thing, actor), stay: "1" };
  return async () => {
    const response = await ask(`${address}.data`, {
      method: "POST",
      redirect: "manual",
      headers: { Cookie: `login=${login}`, Origin: ORIGIN, Host: new URL(ORIGIN).host },
      body: new URLSearchParams(form),
    });
    const text = await response.text();
    expect(response.status < 300 ? "ok" : `${response.status} ${text.slice(0, 300)}`).toBe("ok");
  };
}

test("D3 every exception names a call or form of the tables, once", () => {
  const names = new Set([...ROWS, ...CELLS.map(({ row }) => row)].map(({ name }) => name));
  const given = Object.values(LONGER).flatMap((group) => Object.keys(group));
  expect(given.filter((name) => !names.has(name))).toEqual([]);
  expect(new Set(given).size).toBe(given.length);
});

const SENT = ROWS.filter(({ first }) => first === "ok");
test.each(SENT)("D3 the call $name waits for no more round trips than its declared ones", async (row) => {
  const most = mostOf(row.name);
  expect(await fewestTrips(most, () => stageCall(row))).toBeLessThanOrEqual(most);
});

test.each(CELLS)(
  "D3 the form $row.name waits for no more round trips than its declared ones, with $row.kind",
  async (cell) => {
    const most = mostOf(cell.row.name);
    expect(await fewestTrips(most, () => stageForm(cell))).toBeLessThanOrEqual(most);
  },
);
