// Activities, huts and lists through their calls.
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, makeUser, makeUsers, NOW, reload, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { makeSession, setSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { instant } from "~/domain/time";
import { followActivity } from "./activities.server";

const make = async (user: TestUser, challenge: object) => {
  const answer = await callAs(user, "POST", "/challenges", { challenge });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.challenge;
};
const makeHut = async (user: TestUser, title = "A hut") =>
  (await callAs(user, "POST", "/groups/store", { hut: { title } })).body.hut;

test("C-51 E-05 V-20 an activity is created with every documented field, and its title is required", async () => {
  const user = await makeUser();
  const hut = await makeHut(user, "Hill folk");
  const made = await callAs(user, "POST", "/challenges", {
    challenge: {
      title: "Hill walk",
      content: "Up *slowly*",
      difficulty: 6,
      category: "move",
      hut_id: hut.id,
      duration: 1800,
      participant_limit: 5,
    },
  });
  expect(made).toMatchObject({
    status: 201,
    body: {
      path: "/activities/hill-walk",
      challenge: {
        slug: "hill-walk",
        title: "Hill walk",
        content: "Up *slowly*",
        content_html: "<p>Up <em>slowly</em></p>",
        summary: "Up slowly",
        path: "/activities/hill-walk",
        status: 0,
        is_preset: 0,
        is_joined: 0,
        is_manually_started: 0,
        started_at: null,
        ended_at: null,
        duration: 1800,
        remaining_duration: 1_800_000,
        participant_limit: 5,
        participants_count: 0,
        hut_slug: hut.slug,
        hut_id: hut.id,
        group_id: hut.id,
        category_name: "Move",
        difficulty: 6,
        can_join: 1,
        active_events_count: 0,
        tasks: [],
        my_goals: [],
      },
    },
  });
  expect(made.body.challenge.parts[0].parts[0]).toMatchObject({ duration: 1800, order: 0 });
  const refused = await callAs(user, "POST", "/challenges", {
    challenge: { title: " ", difficulty: 5, category: "move" },
  });
  expect(refused.body).toMatchObject({
    error_code: "INVALID",
    fields: {
      title: ["Please set the challenge title."],
      difficulty: ["Please choose Easy, Normal or Difficult."],
    },
  });
  const unknown = await callAs(user, "POST", "/challenges", {
    challenge: { title: "x", category: "nowhere" },
  });
  expect(unknown.body.fields.category).toEqual(["Please choose one of the categories."]);
});

test("X-08 slugs are unique even for equal titles", async () => {
  const user = await makeUser();
  const made = await Promise.all(
    ["Same walk", "Same walk", "Same walk"].map((title) =>
      callAs(user, "POST", "/challenges", { challenge: { title } }),
    ),
  );
  expect(made.map((answer) => answer.status)).toEqual([201, 201, 201]);
  expect(new Set(made.map((answer) => answer.body.challenge.slug)).size).toBe(3);
});

test("B-05 R-02 S-17 following costs 0.01 once, a repeat changes nothing, and counts are right under fifty at once", async () => {
  const owner = await makeUser();
  const { slug } = await make(owner, { title: "For many" });
  const people = await makeUsers(25, { tokens: 100 });
  const apps = await Promise.all(people.map((person) => appOf(person)));
  await Promise.all(apps.flatMap((app) => [followActivity(app, { slug }), followActivity(app, { slug })]));
  const seen = await callAs(people[0] ?? null, "GET", `/api/activities/${slug}`);
  expect(seen.body.serverData.challenge).toMatchObject({ participants_count: 25, is_joined: 1, can_join: 0 });
  for (const person of people) expect((await reload(person))?.tokens).toBe(99);
  const poor = await makeUser({ tokens: 0 });
  await expect(followActivity(await appOf(poor), { slug })).rejects.toThrow();
  expect((await dataOf(poor, `/api/activities/${slug}`)).challenge.participants_count).toBe(25);
});

test("R-17 U-37 a full activity takes no more followers, even simultaneous ones", async () => {
  const owner = await makeUser();
  const { slug } = await make(owner, { title: "For two", participant_limit: 2 });
  const people = await makeUsers(6);
  const tries = await Promise.allSettled(
    people.map(async (person) => followActivity(await appOf(person), { slug })),
  );
  expect(tries.filter((one) => one.status === "fulfilled")).toHaveLength(2);
  const after = await Promise.all(people.map(async (person) => (await reload(person))?.tokens));
  expect(after.filter((tokens) => tokens === 999)).toHaveLength(2);
});

test("C-48 C-49 C-05 lists filter, search by word beginnings, page from 1, and include page and per_page", async () => {
  const user = await makeUser();
  for (let i = 0; i < 14; i++)
    await make(user, { title: `Kettle ${i} zymurgy`, difficulty: i % 2 ? 3 : 6, category: "make" });
  const list = (query: string) => dataOf(null, `/api/activities?${query}`);
  const first = await list("q=zymur");
  expect(first).toMatchObject({ page: 1, per_page: 12 });
  expect(first.challenges).toHaveLength(13);
  expect((await list("q=zymur&page=2")).challenges).toHaveLength(2);
  expect((await list("q=zymur&page=-3")).page).toBe(1);
  expect((await list("q=zymur&page=x")).page).toBe(1);
  expect((await list("q=zymur&difficulty=3&category=make")).challenges).toHaveLength(7);
  expect((await list("q=%22zymurgy%22%20OR%20*")).challenges).toEqual([]);
  const home = await dataOf(null, "/api/home?q=zymurgy");
  expect(home.challenges).toHaveLength(13);
  expect(home.challengeEvents).toEqual([]);
});

test("C-49 templates have a list of their own (R-23)", async () => {
  const user = await makeUser();
  const counts = async () =>
    Promise.all(
      ["", "?templates=1"].map(
        async (query) => (await dataOf(null, `/api/activities${query}`)).challengesCount,
      ),
    );
  const [listed, patterns] = await counts();
  await make(user, { title: "A pattern xylograph", is_preset: 1 });
  expect(await counts()).toEqual([listed, patterns + 1]);
  expect((await dataOf(null, "/api/activities?q=xylograph")).challenges).toEqual([]);
  const templates = (await dataOf(null, "/api/activities?q=xylograph&templates=1")).challenges;
  expect(templates).toMatchObject([{ title: "A pattern xylograph", is_preset: 1 }]);
});

test("C-86 C-87 E-14 R-22 the creator of a hut owns and joins it, and others may not change it", async () => {
  const [owner, stranger, admin] = [await makeUser(), await makeUser(), await makeUser({ roleId: 10 })];
  const made = await callAs(owner, "POST", "/groups/store", {
    hut: { title: "Stove side", content: "Warm" },
  });
  expect(made).toMatchObject({
    status: 201,
    body: {
      path: "/group/stove-side",
      hut: {
        slug: "stove-side",
        title: "Stove side",
        content: "Warm",
        user_count: 1,
        is_joined: 1,
        challenges: [],
        sessions: [],
      },
    },
  });
  const patch = (user: TestUser, hut: object) => callAs(user, "PATCH", "/groups/stove-side/patch", { hut });
  expect((await patch(stranger, { title: "x" })).status).toBe(403);
  expect((await patch(owner, { title: " " })).body.fields.title).toEqual(["Please give the hut a name."]);
  expect((await patch(owner, { title: "By the stove" })).body.hut).toMatchObject({
    title: "By the stove",
    slug: "stove-side",
  });
  expect((await patch(admin, { content: "Warmer" })).body.hut.content).toBe("Warmer");
  expect((await callAs(owner, "PATCH", "/groups/nowhere/patch", { hut: {} })).status).toBe(404);
});

test("A-09 an activity can only be in a hut that its owner belongs to, and such an owner may have several", async () => {
  const owner = await makeUser();
  const [first, second] = [await makeHut(owner, "Near"), await makeHut(owner, "Far")];
  const foreign = await makeHut(await makeUser(), "Foreign");
  for (const { id, slug } of [first, second])
    expect((await make(owner, { title: `In ${slug}`, hut_id: id })).hut_slug).toBe(slug);
  for (const user of [owner, await makeUser()]) {
    const challenge = { title: "Elsewhere", duration: 600, hut_id: foreign.id };
    const refused = await callAs(user, "POST", "/challenges", { challenge });
    expect(refused.body.fields).toEqual({ hut_id: ["Please choose a hut you belong to."] });
  }
});

test("A-09 the owner of a hut has it in every form after leaving it", async () => {
  const [owner, stranger] = await makeUsers(2);
  const hut = await makeHut(owner, "Left hut");
  expect((await callAs(owner, "DELETE", `/groups/${hut.slug}/leave`)).status).toBe(200);
  for (const path of ["/challenges/create", "/challenges/events/create"]) {
    const page = await visit(owner, path);
    expect(await page.texts("option"), path).toContain("Left hut");
    expect(await (await visit(stranger, path)).texts("option"), path).not.toContain("Left hut");
  }
  const activity = await make(owner, { title: "By the owner", hut_id: hut.id });
  expect(activity.hut_id).toBe(hut.id);
  const challenge = { title: "By another", hut_id: hut.id };
  const refused = await callAs(stranger, "POST", "/challenges", { challenge });
  expect(refused.body.fields).toEqual({ hut_id: ["Please choose a hut you belong to."] });
});

test("U-37 R-17 a full activity has can_join 0 for people who do not follow it", async () => {
  const owner = await makeUser();
  const { slug } = await make(owner, { title: "For a single person", participant_limit: 1 });
  const [first, second] = [await makeUser(), await makeUser()];
  const canJoin = async (user: TestUser) =>
    (await dataOf(user, `/api/activities/${slug}`)).challenge.can_join;
  expect(await canJoin(second)).toBe(1);
  await followActivity(await appOf(first), { slug });
  expect(await canJoin(second)).toBe(0);
});

test("R-15 an activity with an upcoming or running session cannot be deleted, one with ended sessions can", async () => {
  const owner = await makeUser();
  const { slug } = await make(owner, { title: "Kept while it runs" });
  const session = await makeSession(owner);
  const activity = sql`(SELECT id FROM activities WHERE slug = ${slug})` as unknown as number;
  const set = (over: Partial<typeof schema.sessions.$inferInsert>) => setSession(session.id, over);
  await set({ activityId: activity });
  const remove = () => callAs(owner, "DELETE", `/challenges/${slug}`);
  const refused = await remove();
  expect([refused.status, refused.body.message]).toEqual([
    409,
    "This activity has upcoming or running sessions. End or delete them first.",
  ]);
  await callAs(owner, "POST", `/challenge-events/${session.id}/start`, {});
  expect((await remove()).status).toBe(409);
  expect((await callAs(owner, "GET", `/api/activities/${slug}`)).status).toBe(200);
  await set({ startedAt: instant(NOW - 3_600_000), endedAt: NOW, closedAt: NOW });
  expect((await remove()).status).toBe(204);
  expect((await callAs(owner, "GET", `/api/activities/${slug}`)).status).toBe(404);
});

test("C-33 C-34 Q-16 A-10 a goal of an activity changes only with the activity, which a mute closes", async () => {
  const [owner, maker] = await makeUsers(2);
  const hut = await makeHut(owner, "Silent hut");
  await callAs(maker, "POST", `/groups/${hut.slug}/join`, {});
  const { slug } = await make(maker, { title: "Sit still", hut_id: hut.id, tasks: [{ title: "Breathe" }] });
  const personal = await makeGoal(maker, { title: "My own" });
  await callAs(owner, "PATCH", `/groups/${hut.slug}/members/${maker.username}`, { mute: 1 });
  const taskNow = async () => (await dataOf(owner, `/api/activities/${slug}`)).challenge.tasks[0];
  const { id } = await taskNow();
  expect(
    (await callAs(maker, "PATCH", `/challenges/${slug}`, { challenge: { title: "Shout" } })).status,
  ).toBe(403);
  expect((await callAs(maker, "PATCH", `/api/goals/update/${id}`, { title: "Shout" })).status).toBe(404);
  expect((await callAs(maker, "POST", `/api/goals/${id}/complete`, {})).status).toBe(404);
  expect(await taskNow()).toMatchObject({ title: "Breathe", completed_at: null });
  expect((await callAs(maker, "PATCH", `/api/goals/update/${personal.id}`, { title: "Mine" })).status).toBe(
    200,
  );
});

test("C-55 R-87 a follower leaves an activity whose private hut was deleted, and another follower stays", async () => {
  const [owner, leaver, other] = await makeUsers(3);
  const hut = await makeHut(owner, "Gone hut");
  for (const user of [leaver, other]) await callAs(user, "POST", `/groups/${hut.slug}/join`, {});
  await callAs(owner, "PATCH", `/groups/${hut.slug}/patch`, { hut: { is_private: 1 } });
  const { slug } = await make(owner, { title: "What is left", hut_id: hut.id });
  for (const user of [leaver, other]) await callAs(user, "POST", `/challenges/${slug}/join`, {});
  await callAs(owner, "DELETE", `/groups/${hut.slug}`, { slug: hut.slug });
  const answer = await callAs(leaver, "POST", `/challenges/${slug}/leave`, {});
  expect([answer.status, answer.body.challenge.is_joined, answer.body.challenge.participants_count]).toEqual([
    200, 0, 1,
  ]);
  expect((await callAs(leaver, "GET", `/api/activities/${slug}`)).status).toBe(404);
  const page = await post(other, `/activities/${slug}`, { intent: "leave" });
  expect([page.status, page.location]).toEqual([302, "/activities"]);
  expect((await dataOf(owner, `/api/activities/${slug}`)).challenge.participants_count).toBe(0);
});

test("C-48 the count of the activities that a person follows is that of the filtered list", async () => {
  const [owner, follower] = await makeUsers(2);
  const hut = await makeHut(owner, "Counting hut");
  const made = [
    await make(owner, { title: "Count one", category: "move" }),
    await make(owner, { title: "Count two", category: "move", hut_id: hut.id }),
    await make(owner, { title: "Count three", category: "write" }),
    await make(owner, { title: "Hidden from counts", category: "move", hut_id: hut.id }),
  ];
  for (const { slug } of made) await callAs(follower, "POST", `/challenges/${slug}/join`, {});
  const counted = async (path: string) => {
    const { challenges, challengesCount } = await dataOf(follower, path);
    return [challenges.length, challengesCount];
  };
  expect(await counted("/api/activities?joined=1")).toEqual([4, 4]);
  expect(await counted("/api/activities?joined=1&category=move")).toEqual([3, 3]);
  expect(await counted("/api/activities?joined=1&category=write")).toEqual([1, 1]);
  await callAs(owner, "PATCH", `/groups/${hut.slug}/patch`, { hut: { is_private: 1 } });
  expect(await counted("/api/activities?joined=1&category=move")).toEqual([1, 1]);
  expect(await counted("/api/activities?joined=1")).toEqual([2, 2]);
});
