// The right to write: every call that carries words for others, as each person who may not write in its place.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { type WritingPlace, writingRefusalOf } from "~/domain/may-write";
import type { HeldSanction } from "~/domain/safety/sanctions";
import { instant } from "~/domain/time";
import type { Thing } from "./roles/cast";
import { DOORS, ELSEWHERE, TAKING_TEXT, UNREAD } from "./roles/writing";
import { callAs, dataOf } from "./support/ask";
import { type CallName, everyCall } from "./support/every-call";
import { makeUser, type TestUser } from "./support/factories";
import { makeActivity, makeHut, makeSession } from "./support/sessions";

test("Q-13 Q-16 every call that takes a text is declared with the place of its words, or as unread", () => {
  const kinds = (name: CallName) =>
    [name in DOORS, UNREAD.has(name), ELSEWHERE.has(name)].filter(Boolean).length;
  expect(TAKING_TEXT.length).toBeGreaterThan(60);
  expect(TAKING_TEXT.filter((name) => kinds(name) !== 1)).toEqual([]);
  const declared = [...(Object.keys(DOORS) as CallName[]), ...UNREAD, ...ELSEWHERE];
  expect(declared.filter((name) => !TAKING_TEXT.includes(name))).toEqual([]);
});

// ---- the decider

const NOW = instant(1_000_000);
const ENDS = { none: null, later: instant(NOW + 1), over: NOW } as const;
const held = (scope: HeldSanction["scope"], kind: HeldSanction["kind"], until: keyof typeof ENDS) => ({
  ...{ scope, kind, until: ENDS[until], reason: "" },
});
const SANCTIONS = [
  [],
  ...(["session", "series", "hut"] as const).flatMap((scope) =>
    (["mute", "ban"] as const).flatMap((kind) =>
      (["none", "later", "over"] as const).map((until) => [held(scope, kind, until)]),
    ),
  ),
];

test.each(["session", "hut"] as const)(
  "Q-13 Q-16 in a %s people who belong, and whom no sanction in force keeps from it, may write, and nobody else",
  (kind) => {
    for (const belongs of [true, false])
      for (const sanctions of SANCTIONS) {
        const place: WritingPlace = { kind, belongs, sanctions };
        const inForce = sanctions.find(({ until }) => until === null || until > NOW);
        const why =
          inForce?.kind === "ban" ? "closed" : belongs ? (inForce ? "muted" : undefined) : "outside";
        expect(writingRefusalOf({ timeZone: "UTC", locale: "en-GB" }, place, NOW)?.why).toBe(why);
      }
  },
);

// ---- every door, as every person

/** The fate of the person after the first words. */
const FATES = [
  "muted in the session",
  "muted in the hut",
  "kept out",
  "banned from the hut",
  "gone",
] as const;
type Fate = (typeof FATES)[number];

const must = async (user: TestUser, method: string, path: string, body: object = {}) => {
  const answer = await callAs(user, method, path, body);
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};

/** A running session of a hut with an admin, `writer`, who has written by each door; and a reader. */
async function stage() {
  const [host, writer, reader] = [
    await makeUser({ tokens: 90_000 }),
    await makeUser({ tokens: 90_000 }),
    await makeUser({ tokens: 90_000 }),
  ];
  await env.DB.prepare("UPDATE users SET email_confirmed_at = 1 WHERE id = ?").bind(writer.id).run();
  const hut = await makeHut(host, [host, writer, reader]);
  const parts = [
    { uuid: "g", parts: [{ uuid: "a", title: "A", duration: 3600, edit_content: 1, edit_prompt: 1 }] },
  ];
  const session = await makeSession(host, { hut_id: hut.id, parts, tasks: [{ title: "Pages" }] });
  for (const user of [writer, reader]) await must(user, "POST", `/challenge-events/${session.id}/join`);
  await must(host, "PATCH", `/challenge-events/${session.id}/participants/${writer.username}`, { role: 1 });
  // A seat in another session opens no door of this one.
  const beside = await makeSession(host);
  await must(writer, "POST", `/challenge-events/${beside.id}/join`);
  await must(host, "POST", `/challenge-events/${session.id}/start`);
  const { goals } = await dataOf(host, `/api/sessions/${session.id}/goals`);
  const goal = goals[0].goal ?? goals[0];
  const activity = await makeActivity(writer, { hutId: hut.id });
  const book = (
    await must(host, "POST", "/items", {
      itemData: { title: "Book", content: "", status: 1, is_book: 1, group_id: hut.id },
    })
  ).item;
  const snippet = await env.DB.prepare(
    "INSERT INTO snippets (item_id, number, content) VALUES (?, 1, 'x') RETURNING id",
  )
    .bind(book.id)
    .first<number>("id");
  const thing: Thing = {
    event: session.id,
    hut: hut.slug,
    hutId: hut.id,
    part: "a",
    goal: goal.id,
    uuid: goal.uuid,
    snippet: snippet ?? 0,
  };
  const at = (name: CallName) => {
    const slug = name === "updateActivity" || name === "patchActivity" ? activity.slug : session.slug;
    return everyCall[name].path.replace(/\{(\w+)\}/g, (_, key: string) =>
      String(key === "challenge" ? slug : (thing[key] ?? key)),
    );
  };
  const open = (name: CallName, words: string) =>
    callAs(writer, everyCall[name].method, at(name), DOORS[name]?.body(thing, words));
  thing.post = (await open("createPost", "first")).body.post.id;
  thing.seq = (await open("createMessage", "first")).body.message.seq;
  thing.item = (await open("createItem", "first")).body.item.id;
  thing.log = (await open("logInSession", "first")).body.log.id;
  thing.paraphrase = (await open("createParaphrase", "first")).body.paraphrase.id;
  const fate = async (of: Fate) => {
    const seat = `/challenge-events/${session.id}/participants/${writer.username}`;
    const member = `/groups/${hut.slug}/members/${writer.username}`;
    if (of === "muted in the session") await must(host, "PATCH", seat, { mute: 1 });
    if (of === "muted in the hut") await must(host, "PATCH", member, { mute: 1 });
    if (of === "kept out") await must(host, "DELETE", seat, { keep_out: 1 });
    if (of === "banned from the hut") await must(host, "PATCH", member, { ban: 1 });
    if (of === "gone") await must(writer, "POST", `/api/challenge-events/${session.id}/leave`);
  };
  /** Everything of the places that the reader reads. */
  const read = async () => {
    const tabs = ["", "/goals", "/member-goals", "/logs", "/hut", "/chat"].map(
      (tab) => `/api/sessions/${session.id}${tab}`,
    );
    const pages = [
      ...tabs,
      `/api/group/${hut.slug}`,
      `/api/group/${hut.slug}/sessions`,
      `/api/hut/${hut.slug}/activities`,
    ];
    const texts = await Promise.all(
      pages.map(async (path) => JSON.stringify((await callAs(reader, "GET", path)).body)),
    );
    return texts.join("\n");
  };
  return { host, writer, reader, session, thing, open, fate, read };
}

test("Q-13 control: a person who may write writes by every door, and others read it", async () => {
  const { open, read } = await stage();
  const refused: string[] = [];
  for (const name of Object.keys(DOORS) as CallName[]) {
    // The hut's own text is its owner's.
    if (name === "updateHut") continue;
    const { status, body } = await open(name, `word-${name}`);
    if (status >= 300) refused.push(`${name}: ${status} ${JSON.stringify(body)}`);
  }
  expect(refused).toEqual([]);
  const text = await read();
  for (const name of ["editPost", "createMessage", "logInSession", "saveContent", "updateGoal"])
    expect(text).toContain(`word-${name === "saveContent" ? "patchSession" : name}`);
}, 120_000);

for (const of of FATES)
  test(`Q-13 Q-16 R-57 a person who is ${of} puts no word before others, by no door`, async () => {
    const { open, fate, read } = await stage();
    await fate(of);
    const passed: string[] = [];
    const inHutAlone = of === "muted in the session" || of === "kept out" || of === "gone";
    for (const [name, door] of Object.entries(DOORS) as [CallName, NonNullable<(typeof DOORS)[CallName]>][]) {
      if (door.place === "hut" && inHutAlone) continue;
      const { status } = await open(name, "larkspur");
      // INVALID names the hut's field.
      const isRefused = [403, 404, 422].includes(status);
      // A muted person's log counts.
      const isKept =
        door.place === "log" && (of.startsWith("muted") || name === "updateLog" || name === "completeLog");
      if (isRefused === isKept) passed.push(`${name}: ${status}`);
    }
    expect(passed).toEqual([]);
    expect(await read()).not.toContain("larkspur");
  }, 120_000);

test("R-57 the words of a muted person's log stay unread after the mute, live too, and their owner reads them", async () => {
  const { host, writer, session, open, fate, read } = await stage();
  const { joinRoom } = await import("./support/rooms");
  const line = await joinRoom(host, session.id);
  await fate("muted in the session");
  expect((await open("logInSession", "larkspur")).status).toBe(201);
  const heard = await line.expect("logs");
  expect(heard.log).toMatchObject({ amount: 1, title: "" });
  const seat = `/challenge-events/${session.id}/participants/${writer.username}`;
  await must(host, "PATCH", seat, { mute: 0 });
  expect(await read()).not.toContain("larkspur");
  const logs = `/api/sessions/${session.id}/logs`;
  expect(JSON.stringify((await callAs(writer, "GET", logs)).body)).toContain("larkspur");
  expect((await open("logInSession", "foxglove")).status).toBe(201);
  expect(await read()).toContain("foxglove");
}, 60_000);

test("R-57 a muted person does not speak through the name of their goal in the session", async () => {
  const { writer, session, thing, fate, read } = await stage();
  const made = (await must(writer, "POST", "/api/goals/store", { challenge: { tasks: [{ title: "Mine" }] } }))
    .goal;
  await must(writer, "POST", `/api/challenge-events/${session.id}/${made.id}/attach-my-goal`);
  await must(writer, "POST", "/api/logs/store-quick-log", { goal_id: made.id, amount: 1 });
  await fate("muted in the session");
  const renamed = await callAs(writer, "PATCH", `/api/goals/update/${made.id}`, {
    challenge: { tasks: [{ title: "larkspur" }] },
  });
  expect(renamed.status).toBe(403);
  expect(thing.goal).not.toBe(made.id);
  expect(await read()).not.toContain("larkspur");
}, 60_000);
