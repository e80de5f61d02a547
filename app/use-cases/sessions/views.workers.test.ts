// The pages of a session: every field of E-06 to E-13, for everybody who may look, in one batch of proportional size.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { type Counts, countingD1 } from "#tests/support/counting-d1";
import { db, makeUser, makeUsers, NOW, setUser, type TestUser } from "#tests/support/factories";
import { putSeat } from "#tests/support/rooms";
import { makeActivity, makeHut, makeSession, stageSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { createApp } from "#workers/create-app";
import { ListQuery } from "~/domain/lists";
import { instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { formForSession } from "./form.server";
import { viewSessionForum } from "./forum-page.server";
import { listSessions } from "./list.server";
import { viewMemberGoals } from "./member-goals-page.server";
import { viewSession, viewSessionChat, viewSessionGoals, viewSessionLogs } from "./views.server";

const SESSION_FIELDS =
  "id slug title path content summary status is_preset started_at ended_at started_at_obj duration participant_limit participants_count donation_link join_code is_free can_join needs_code hut_id parts tasks messages logs posts".split(
    " ",
  );
const PART_FIELDS =
  "uuid title id type started_at ended_at paused_at duration per_participant edit_prompt edit_content edit_summary is_focus time_from start_of is_interval is_custom_duration timers sets setsRemaining active status order events_group_uuid action_duration elapsed_duration remaining_duration".split(
    " ",
  );
const GROUP_FIELDS = "uuid parts linked sets hidden auto_start".split(" ");
const PARTICIPANT_FIELDS = "username role is_ready task_totals task_action_totals".split(" ");
const appOf = async (user: TestUser | null) =>
  (
    await createApp(env, {
      ...(user ? { loginToken: user.loginToken } : {}),
      now: NOW,
      defer: () => {},
    })
  ).app;
const TABS = ["", "/goals", "/member-goals", "/logs", "/hut", "/chat"];

test("L-01 a page shows the room also where no room of the session has been asked before", async () => {
  const { guest, challenge, session } = await stageSession();
  await challenge(guest, "POST", "/user-is-ready", {});
  const app = await appOf(guest);
  const rooms: App["rooms"] = { of: (id) => app.rooms.of(id), hasOpened: () => false };
  const { participants } = await viewSession({ ...app, rooms }, { session: session.id });
  expect(participants.find(({ username }) => username === guest.username)?.isReady).toBe(true);
});

test("A-03 R-22 every tab of a private hut's session opens for a super admin, and for no stranger", async () => {
  const host = await makeUser();
  const hut = await makeHut(host, [host]);
  await db.update(schema.huts).set({ isPrivate: true }).where(eq(schema.huts.id, hut.id));
  const session = await makeSession(host, { hut_id: hut.id });
  const [admin, stranger] = [await makeUser({ roleId: 10 }), await makeUser()];
  for (const tab of ["", "/goals", "/member-goals", "/logs", "/people", "/chat"]) {
    expect([tab, (await visit(admin, `/sessions/${session.id}${tab}`)).status]).toEqual([tab, 200]);
    expect([tab, (await visit(stranger, `/sessions/${session.id}${tab}`)).status]).toEqual([tab, 404]);
  }
});

describe("C-50 P-31 to P-36 the data of a session", () => {
  test.each(TABS)(
    "C-50 C-02 E-06 E-07 E-08 E-13 %s has every documented field, for a visitor too",
    async (tab) => {
      const host = await makeUser();
      const hut = await makeHut(host);
      const activity = await makeActivity(host);
      const session = await makeSession(host, {
        hut_id: hut.id,
        challenge_id: activity.id,
        parts: [
          { uuid: "g", parts: [{ uuid: "p", duration: 60 }] },
          { uuid: "t", type: "task", parts: [{ title: "Read" }] },
        ],
        tasks: [{ title: "Write" }],
      });
      for (const user of [null, host, await makeUser()]) {
        const { status, body } = await callAs(user, "GET", `/api/sessions/${session.id}${tab}`);
        expect(status).toBe(200);
        const { session: shown, breadcrumbs, isOwner } = body.serverData;
        expect(Object.keys(shown)).toEqual(expect.arrayContaining(SESSION_FIELDS));
        expect(Object.keys(shown.parts[0])).toEqual(expect.arrayContaining(GROUP_FIELDS));
        expect(Object.keys(shown.parts[0].parts[0])).toEqual(expect.arrayContaining(PART_FIELDS));
        expect(Object.keys(shown.participants[0])).toEqual(expect.arrayContaining(PARTICIPANT_FIELDS));
        expect(breadcrumbs.map(({ path }: { path: string }) => path)).toEqual([
          "/",
          `/group/${hut.slug}`,
          `/activities/${activity.slug}`,
          session.path,
        ]);
        expect(isOwner).toBe(user === host ? 1 : 0);
        expect(shown.me.can_run).toBe(user === host ? 1 : 0);
      }
    },
  );

  test("E-08 Member Goals gives the role of each participant: 1 for the host and admins, 0 for others", async () => {
    const { host, guest, admin, view } = await stageSession();
    const { member_goals: members } = await view(null, "/member-goals");
    const roles = members.map(({ username, role }: { username: string; role: number }) => [username, role]);
    expect(Object.fromEntries(roles)).toEqual({
      [host.username]: 1,
      [guest.username]: 0,
      [admin.username]: 1,
    });
  });

  test("F-25 others receive the host's time zone, the host does not", async () => {
    const [host, guest] = [await makeUser(), await makeUser()];
    await setUser(host.id, { timeZone: "Asia/Tokyo" });
    const { id } = await makeSession(host);
    const zoneFor = async (user: TestUser) =>
      (await viewSession(await appOf(user), { session: id })).session.hostZone;
    expect([await zoneFor(guest), await zoneFor(host)]).toEqual(["Asia/Tokyo", null]);
  });

  test("C-50 an unknown session is not found, on any tab", async () => {
    for (const tab of TABS)
      for (const id of ["999999", "0", "-1", "abc"])
        expect((await callAs(null, "GET", `/api/sessions/${id}${tab}`)).status).toBe(404);
  });
});

describe("D1 a page of a session is one batch of proportional size", () => {
  const PEOPLE = 400;
  let host: TestUser;
  let id: number;
  beforeAll(async () => {
    host = await makeUser();
    const session = await makeSession(host, { tasks: [{ title: "Read" }, { title: "Write" }] });
    id = session.id;
    // The host's seat is the first, on whatever day this runs.
    await db
      .update(schema.participants)
      .set({ joinedAt: instant(NOW - 1) })
      .where(eq(schema.participants.sessionId, id));
    const people = Array.from({ length: PEOPLE }, (_, index) => ({
      username: `member-${index}`,
      email: `member-${index}@example.com`,
      passwordHash: "none",
      createdAt: NOW,
      updatedAt: NOW,
    }));
    const users: number[] = [];
    for (let from = 0; from < PEOPLE; from += 5)
      users.push(
        ...(
          await db
            .insert(schema.users)
            .values(people.slice(from, from + 5))
            .returning({ id: schema.users.id })
        ).map((user) => user.id),
      );
    const goals = await db.select().from(schema.goals);
    for (let from = 0; from < PEOPLE; from += 8) {
      const some = users.slice(from, from + 8);
      await db.insert(schema.participants).values(
        some.map((userId, index) => ({
          sessionId: id,
          userId,
          personId: userId,
          username: `member-${from + index}`,
          seat: `join:${userId}`,
          paidBy: userId,
          joinedAt: instant(NOW + from + index),
        })),
      );
      await db
        .insert(schema.sessionTotals)
        .values(
          some.map((userId) => ({ sessionId: id, userId, goalUuid: goals[0]?.uuid ?? "", amount: 1000 })),
        );
    }
    for (let from = 0; from < 300; from += 3)
      await db.insert(schema.logs).values(
        [0, 1, 2].map((n) => ({
          id: from + n + 1,
          uuid: crypto.randomUUID(),
          userId: users[0] ?? 0,
          username: "member-0",
          sessionId: id,
          status: 2,
          day: "2026-11-21",
          createdAt: NOW,
          updatedAt: NOW,
        })),
      );
  });

  /** The App of a login, with its counter reset after the login lookup. */
  async function counted(user: TestUser | null, work: (app: App) => Promise<unknown>): Promise<Counts> {
    const { d1, counts } = countingD1(env.DB);
    const { app } = await createApp(
      { ...env, DB: d1 },
      { ...(user ? { loginToken: user.loginToken } : {}), now: NOW, defer: () => {} },
    );
    counts.trips = 0;
    counts.rowsRead = 0;
    await work(app);
    return { ...counts };
  }

  test.each<[string, number, (app: App) => Promise<unknown>]>([
    ["Details", 60, (app) => viewSession(app, { session: id })],
    ["My Goals", 60, (app) => viewSessionGoals(app, { session: id })],
    ["Logs, deep", 80, (app) => viewSessionLogs(app, { session: id, page: 20, after: "20~100" })],
    ["Forum", 40, (app) => viewSessionForum(app, { session: id, page: 1 })],
    ["Chat", 20, (app) => viewSessionChat(app, { session: id })],
    ["Member Goals", 120, (app) => viewMemberGoals(app, { session: id, page: 1 })],
    [
      "Member Goals, deep, behind the row before",
      120,
      (app) => viewMemberGoals(app, { session: id, page: 30, after: `30~${NOW + 346}~1` }),
    ],
    ["the list", 80, (app) => listSessions(app, ListQuery.parse({}))],
  ])("D1 %s: one trip, at most %d rows", async (_, most, work) => {
    for (const user of [host, null]) {
      const { trips, rowsRead } = await counted(user, work);
      expect(trips).toBe(1);
      expect(rowsRead).toBeLessThanOrEqual(most);
    }
  });

  test("C-05 member goals continue after the last row", async () => {
    const page = (query: string) => dataOf(null, `/api/sessions/${id}/member-goals${query}`);
    const first = await page("");
    expect([first.member_goals.length, first.has_next]).toEqual([12, 1]);
    const second = await page(`?page=2&after=${first.after}`);
    expect(second.member_goals).toEqual((await page("?page=2")).member_goals);
    expect(second.member_goals[0].username).toBe("member-11");
  });

  test("Q-45 C-05 the place after a page of member goals has the id of nobody, among people of one instant too", async () => {
    const host = await makeUser();
    const session = await makeSession(host, { participant_limit: 40 });
    const people = await makeUsers(27);
    for (const user of people) await putSeat(session.id, user, NOW + 1);
    const seen: string[] = [];
    let query = "";
    for (let at = 1; at <= 3; at++) {
      const { body } = await callAs(null, "GET", `/api/sessions/${session.id}/member-goals${query}`);
      const { member_goals: members, after } = body.serverData;
      seen.push(...members.map(({ username }: { username: string }) => username));
      const [, , place] = String(after ?? "").split("~");
      expect([undefined, "12", "24"]).toContain(place);
      query = `?page=${at + 1}&after=${after}`;
    }
    expect(seen.sort()).toEqual([host, ...people].map(({ username }) => username).sort());
  });
});

describe("P-26 P-27 the initial values of the form", () => {
  test("P-26 an activity's plan, goals and length, and the user's activities and huts", async () => {
    const host = await makeUser();
    const [hut, activity] = [
      await makeHut(host),
      await makeActivity(host, { title: "Mine", isManuallyStarted: true }),
    ];
    const other = await makeActivity(await makeUser(), { title: "Other" });
    const form = await formForSession(await appOf(host), { activity: other.slug, hut: hut.slug });
    expect(form).toMatchObject({
      id: null,
      canHost: true,
      values: {
        title: "Other",
        activitySlug: other.slug,
        hutId: hut.id,
        duration: 1800,
        startedAt: expect.any(Number),
      },
    });
    expect(form.activities.map(({ title }) => title)).toEqual(["Mine", "Other"]);
    expect(form.huts.map(({ slug }) => slug)).toEqual([hut.slug]);
    expect(
      (await formForSession(await appOf(host), { template: activity.slug })).values.isManuallyStarted,
    ).toBe(true);
    await expect(formForSession(await appOf(host), { activity: "no-such-thing" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(formForSession(await appOf(null), {})).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  test("H-04 a new form without a source offers templates and the user's activities, each by a link that fills it", async () => {
    const [host, other] = [await makeUser(), await makeUser()];
    const mine = await makeActivity(host, { title: `Mine of ${host.username}` });
    const template = await makeActivity(other, { title: `Begin ${host.username}`, isTemplate: true });
    await makeActivity(other, { title: `Other of ${host.username}` });
    const path = "/challenges/events/create?hut=x";
    const page = await visit(host, path);
    expect(await page.links('ul[aria-label="Templates"]')).toMatchObject({
      [`Begin ${host.username}`]: `/challenges/events/create?hut=x&activity=${template.slug}`,
    });
    expect(await page.links('ul[aria-label="Your activities"]')).toEqual({
      [`Mine of ${host.username}`]: `/challenges/events/create?hut=x&activity=${mine.slug}`,
    });
    const filled = await visit(host, `${path}&activity=${template.slug}`);
    expect(await filled.all('ul[aria-label="Templates"]')).toEqual([]);
    expect((await filled.all('input[name="title"]'))[0]?.attributes.value).toBe(`Begin ${host.username}`);
  });

  test("P-27 the present session, for those who run it", async () => {
    const [host, guest] = [await makeUser(), await makeUser()];
    const session = await makeSession(host, { join_code: "lamp", tasks: [{ title: "Read" }] });
    const form = await formForSession(await appOf(host), { session: session.id });
    expect(form).toMatchObject({
      id: session.id,
      status: 0,
      canHost: true,
      values: { title: "Morning pages", joinCode: "lamp", isManuallyStarted: true },
      goals: [{ title: "Read" }],
    });
    // A repeat begins with the same goals.
    expect((await formForSession(await appOf(host), { repeats: session.id })).goals).toMatchObject([
      { title: "Read" },
    ]);
    await expect(formForSession(await appOf(guest), { session: session.id })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
  });
});

test("B-14 the page of a cancelled session says so and that the token is back, and no part of it is to come", async () => {
  const { host, guest, session, event } = await stageSession();
  await event(host, "/end");
  const { html } = await visit(guest, session.path);
  expect(html).toContain("This session was cancelled.");
  expect(html).toContain("Your token is back.");
  expect((await visit(null, session.path)).html).toContain(
    "Everybody who paid for a seat has the token back.",
  );
  expect([html.includes("has ended"), html.includes("to come")]).toEqual([false, false]);
});
