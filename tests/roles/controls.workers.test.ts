// The controls that the server renders for each role: exactly those whose form the role may post.
import { beforeAll, expect, test } from "vitest";
import { callAs } from "../support/ask";
import { makeActivity } from "../support/sessions";
import { visit } from "../support/visit";
import { type Actor, assemble, type Cast, isDrawn, ROLES, type Role, type Thing } from "./cast";
import { INTENT_ROWS } from "./forms";
import { PAGE_ROWS } from "./pages";
import { shelf } from "./things";

let cast: Cast;
let things: ReturnType<typeof shelf>;
beforeAll(async () => {
  cast = await assemble();
  things = shelf(cast);
});

/**
 * A line: page | thing | control | roles that see it | roles that may post it but do not need it. `form x` is a form
 * with that intent, `link x` a link to that page. Roles may be `all`, and `-role` removes one. A visitor sees the
 * controls that ask to sign in.
 */
const CONTROLS = `
  /sessions/:session | session  | sessions/action join     | all -host -admin -ex-admin -participant -guest | host admin ex-admin participant guest
  /sessions/:session | session  | sessions/action leave    | admin ex-admin participant guest | all -visitor -host -admin -ex-admin -participant -guest
  /sessions/:session | session  | sessions/action start    | host admin super           |
  /sessions/:session | session  | sessions/action end      | host super                 |
  /sessions/:session | session  | sessions/action delete   | host super                 |
  /sessions/:session | session  | sessions/action reset    | super                      |
  /sessions/:session | session  | link events/:event/update | host admin super         |
  /sessions/:session | running  | sessions/action complete | host admin ex-admin participant guest |
  /sessions/:session | running  | sessions/action end      | host super                 |
  /sessions/:session | running  | sessions/action start    |                            |
  /activities/:slug  | activity | activities/activity follow         | all -member -guest         | member
  /activities/:slug  | activity | activities/activity leave          | member                     | all -visitor -member -guest
  /activities/:slug  | activity | activities/activity delete         | owner super                |
  /activities/:slug  | activity | activities/activity reset          | super                      |
  /activities/:slug  | activity | link challenges/:slug/update | owner super           |
  /group/:hut        | hut      | huts/hut join                | all -member -hut-owner -moderator -owner -guest | member hut-owner moderator owner
  /group/:hut        | hut      | huts/hut leave               | member hut-owner moderator owner | all -visitor -member -hut-owner -moderator -owner -guest
  /group/:hut        | hut      | link groups/:hut/update | hut-owner super            |
  /group/:hut/forum  | hut      | huts/forum post          | member hut-owner moderator owner |
  /group/:hut/members | hut      | huts/members role        | hut-owner super            |
  /group/:hut/members | hut      | huts/members hand-over   | hut-owner super            |
  /sessions/:session/hut | session | sessions/forum post   | host admin ex-admin participant |
`;

const rolesIn = (text: string): Role[] => {
  const words = text.split(/\s+/).filter(Boolean);
  return ROLES.filter(
    (role) => (words.includes("all") || words.includes(role)) && !words.includes(`-${role}`),
  );
};
const LINES = CONTROLS.split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => {
    const [page = "", kind = "", control = "", seen = "", unused = ""] = line
      .split("|")
      .map((cell) => cell.trim());
    return { page, kind, control, seen: rolesIn(seen), unused: rolesIn(unused) };
  });
const PAGES = [...new Set(LINES.map(({ page, kind }) => `${page} | ${kind}`))];

const place = (template: string, thing: Thing) =>
  template.replace(/:(\w+)/g, (_, name: string) => String(thing[name]));

/** The table's controls that the page shows to `actor`. */
async function controlsOf(page: string, kind: string, actor: Actor): Promise<string[]> {
  const thing = await things.take(kind, "theirs", actor);
  const shown = await visit(actor.user, place(page, thing));
  const forms = (await shown.all('main input[name="intent"]')).map(({ attributes }) => attributes.value);
  const links = (await shown.all("main a")).map(({ attributes }) => attributes.href);
  return LINES.filter((line) => line.page === page && line.kind === kind)
    .map(({ control }) => control)
    .filter((control) => {
      const [first = "", second = ""] = control.split(" ");
      return first === "link" ? links.includes(`/${place(second, thing)}`) : forms.includes(second);
    });
}

test("U-24 A-06 a control is declared for exactly the roles that may use it", () => {
  for (const { control, kind, seen, unused } of LINES) {
    const [first = "", second = ""] = control.split(" ");
    const rows =
      first === "link"
        ? PAGE_ROWS.filter(({ name }) => name === second)
        : INTENT_ROWS.filter(({ name }) => name === control);
    const row = rows.find((one) => one.kind === kind);
    // Without a row for this state, nobody sees the control there.
    if (!row) {
      expect([...seen, ...unused], `${control} of ${kind}`).toEqual([]);
      continue;
    }
    const may: Role[] = ROLES.filter((role) => role !== "visitor" && row.expected("theirs", role) === "ok");
    const shown: Role[] = [...seen, ...unused].filter((role) => role !== "visitor");
    expect(
      ROLES.filter((role) => shown.includes(role)),
      `${control} of ${kind}`,
    ).toEqual(may);
  }
});

test.each(PAGES)(
  "A-03 A-06 S-07 U-37 U-44 %s shows each role its controls and no others",
  { timeout: 120_000 },
  async (name) => {
    const [page = "", kind = ""] = name.split(" | ");
    const lines = LINES.filter((line) => line.page === page && line.kind === kind);
    // A role that a line names, and those of the run's seed.
    const isNamed = (role: Role) =>
      lines.some(({ seen }) => seen.includes(role) && seen.length < ROLES.length / 2);
    for (const actor of cast.actors.filter(({ role }) => isDrawn(role) || isNamed(role))) {
      const expected = lines.filter(({ seen }) => seen.includes(actor.role)).map(({ control }) => control);
      expect(await controlsOf(page, kind, actor), actor.role).toEqual(expected);
    }
  },
);

test("M-28 a visitor sees the sentence about joining as a link to the sign-in dialog", async () => {
  const { session } = await things.take("session", "theirs", { role: "visitor", user: null });
  const page = await visit(null, `/sessions/${session}`);
  const links = await page.links();
  const next = `?auth=login&next=${encodeURIComponent(`/sessions/${session}`)}`;
  expect(links["Please login or create an account to join a session"]).toBe(`/sessions/${session}${next}`);
  // The press opens the dialog, and the join follows the sign-in (R-71).
  expect(await page.texts("main button")).toContain("Join");
});

test("U-37 a full activity shows no Follow, neither on its card nor on its page", async () => {
  const row = await makeActivity(cast.of("owner"), { participantLimit: 1, title: "Full house" });
  const follows = async () => {
    const page = await visit(cast.of("stranger"), `/activities/${row.slug}`);
    const list = await visit(cast.of("stranger"), "/activities");
    expect((await list.texts("main li")).join()).toContain("Full house");
    return [
      (await page.texts("main button")).includes("Follow"),
      (await list.all('main button[aria-label="Follow: Full house"]')).length,
    ];
  };
  expect(await follows()).toEqual([true, 1]);
  await callAs(cast.of("member"), "POST", `/challenges/${row.slug}/join`, {});
  expect(await follows()).toEqual([false, 0]);
});

test("U-41 the key marks only the session builder, even after a hand-over", async () => {
  const host = { role: "host" as const, user: cast.of("host") };
  const { session } = await things.take("session", "theirs", host);
  const { username } = cast.of("admin");
  await callAs(host.user, "PATCH", `/challenge-events/${session}/participants/${username}`, { host: 1 });
  const page = await visit(null, `/sessions/${session}`);
  const people = await page.texts('aside[aria-label="People"] li');
  const builders = people.filter((text) => text.includes("Session builder"));
  expect(builders).toEqual([expect.stringContaining(host.user.username)]);
  things.spend("session", "theirs", host);
});

test("U-18 the example log of a visitor shows amount 1 and a running timer", async () => {
  const page = await visit(null, "/my/logs");
  const [example = ""] = await page.texts('main [aria-label="Example log"]');
  expect(example).toContain("Learn 1 time");
  expect(example).toContain("Running");
});

test("S-07 R-84 I'm done is a tick for the participant, and for nobody else", async () => {
  const actor = { role: "participant" as const, user: cast.of("participant") };
  const { session } = await things.take("running", "theirs", actor);
  const done = async (role: Role) =>
    (await (await visit(cast.of(role), `/sessions/${session}`)).all("main button"))
      .filter(({ text }) => text.startsWith("I’m done"))
      .map(({ attributes }) => attributes["aria-pressed"]);
  expect([await done("participant"), await done("stranger")]).toEqual([["false"], []]);
  await callAs(actor.user, "POST", `/challenge-events/${session}/complete`, {});
  expect([await done("participant"), await done("host")]).toEqual([["true"], ["false"]]);
  await callAs(actor.user, "POST", `/challenge-events/${session}/complete`, { complete: 0 });
  expect(await done("participant")).toEqual(["false"]);
  things.spend("running", "theirs", actor);
});
