// Updating a session through HTTP: its fields, its goals, permissions.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { connect, schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { failingD1 } from "#tests/support/failing-d1";
import { drain, emptySpine, eventRows, noticeRows, spineApp } from "#tests/support/notices";
import { seatCrowd } from "#tests/support/rooms";
import {
  balanceOf,
  join,
  makeActivity,
  makeHut,
  makeSession,
  seatsOf,
  sessionNow,
  stageSession,
} from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { wrappedD1 } from "#tests/support/wrapped-d1";
import { writeNotice } from "~/domain/notices/texts";
import { DAY, HOUR, instant, MINUTE } from "~/domain/time";
import { updateSession } from "./update.server";

keepBystanders();

test("C-71 A-06 A-09 a partial update changes the given fields, and only people who run the session see the code", async () => {
  const host = await makeUser();
  const guest = await makeUser();
  const session = await makeSession(host, { join_code: "lamp", participant_limit: 3 });
  await callAs(guest, "POST", `/challenge-events/${session.id}/join?join_code=lamp`);
  const patch = (user: Parameters<typeof callAs>[0], challenge: object) =>
    callAs(user, "PATCH", `/challenge-events/${session.id}/patch`, { challenge });
  const changed = await patch(host, { title: "Evening pages", duration: 1800 });
  expect(changed.status).toBe(200);
  expect(changed.body.challenge_event).toMatchObject({
    title: "Evening pages",
    duration: 1800,
    participant_limit: 3,
    join_code: "lamp",
    slug: session.slug,
  });
  expect((await patch(await makeUser(), { title: "X" })).status).toBe(403);
  expect((await patch(guest, { title: "X" })).status).toBe(403);
  const seen = await callAs(guest, "GET", `/api/sessions/${session.id}`);
  expect(seen.body.serverData.session).toMatchObject({ join_code: null, needs_code: 1 });

  const admin = guest;
  await callAs(host, "PATCH", `/challenge-events/${session.id}/participants/${guest.username}`, { role: 1 });
  expect((await patch(admin, { title: "By the admin" })).status).toBe(200);
  expect((await patch(admin, { is_free: 1 })).status).toBe(403);
  expect((await patch(admin, { join_code: "lamp", title: "Same code" })).status).toBe(200);
  const superAdmin = await makeUser({ roleId: 10 });
  expect((await patch(superAdmin, { is_free: 1 })).status).toBe(200);
  expect((await sessionNow(session.id))?.isFree).toBe(true);

  const tooFew = await patch(host, { participant_limit: 1 });
  expect([tooFew.status, tooFew.body.fields.participant_limit]).toEqual([
    422,
    ["There are 2 participants already."],
  ]);
  expect((await seatsOf(session.id)).length).toBe(2);
});

test("A-06 A-09 Q-27 only the host moves a session between huts, by call and by form, before the run and in it", async () => {
  const [host, admin, outsider] = await makeUsers(3);
  const closedHut = async (owner: TestUser, members: TestUser[]) => {
    const hut = await makeHut(owner, members);
    await db.update(schema.huts).set({ isPrivate: true }).where(eq(schema.huts.id, hut.id));
    return hut;
  };
  const [hut, ofAdmin] = [await closedHut(host, [host, admin]), await closedHut(admin, [admin, host])];
  const { id, path } = await makeSession(host, { hut_id: hut.id });
  await join(admin, id);
  await callAs(host, "PATCH", `/challenge-events/${id}/participants/${admin.username}`, { role: 1 });
  const patch = (user: TestUser, challenge: object) =>
    callAs(user, "PATCH", `/challenge-events/${id}/patch`, { challenge });
  const save = async (user: TestUser, title: string, fields: Record<string, string> = {}) => {
    const form = { intent: "update", title, category: "", difficulty: "4", ...fields };
    return (await post(user, `/events/${id}/update`, form)).status;
  };
  const placeNow = async () => {
    const session = await sessionNow(id);
    return [session?.title, session?.hutId, session?.isPrivate, (await visit(outsider, path)).status];
  };
  const hasSelect = async (user: TestUser) =>
    (await visit(user, `/events/${id}/update`)).html.includes('name="hutId"');
  const refusesAdmin = async () => {
    for (const hutId of [null, ofAdmin.id]) {
      expect((await patch(admin, { difficulty: 3, hut_id: hutId })).status).toBe(403);
      expect(await save(admin, "Taken", { hasPeople: "1", hutId: String(hutId ?? "") })).toBe(403);
    }
  };
  await refusesAdmin();
  expect([await hasSelect(admin), await hasSelect(host)]).toEqual([false, true]);
  expect(await save(admin, "By the form")).toBe(302);
  expect(await placeNow()).toEqual(["By the form", hut.id, true, 404]);
  expect((await patch(admin, { title: "By the call", hut_id: hut.id })).status).toBe(200);
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  await refusesAdmin();
  expect(await save(admin, "", { withoutTexts: "on" })).toBe(302);
  expect(await placeNow()).toEqual(["By the call", hut.id, true, 404]);
  expect((await patch(host, { hut_id: ofAdmin.id })).status).toBe(200);
  expect(await placeNow()).toEqual(["By the call", ofAdmin.id, true, 404]);
  expect(await save(host, "", { withoutTexts: "on", hasPeople: "1", hutId: "" })).toBe(302);
  expect(await placeNow()).toEqual(["By the call", null, false, 200]);
});

test("C-77 C-71 the sent goals replace the list: new ones are added, known ones change, others are removed", async () => {
  const host = await makeUser();
  const session = await makeSession(host, { tasks: [{ title: "Read" }, { title: "Write" }] });
  const read = async () => (await dataOf(host, `/api/sessions/${session.id}`)).goals;
  const [first, second] = await read();
  const saved = await callAs(host, "POST", `/challenge-events/${session.id}/parts`, {
    challenge: { tasks: [{ ...second, title: "Write more" }, { title: "Rest" }] },
  });
  expect(saved.status).toBe(200);
  const after = await read();
  expect(after.map((goal: { title: string }) => goal.title)).toEqual(["Write more", "Rest"]);
  expect(after[0].id).toBe(second.id);
  expect(after.some((goal: { id: number }) => goal.id === first.id)).toBe(false);
  expect(await balanceOf(host)).toBe(900);

  await callAs(host, "POST", `/challenge-events/${session.id}/logs`, { task_uuid: after[0].uuid });
  const refused = await callAs(host, "POST", `/challenge-events/${session.id}/parts`, {
    challenge: { tasks: [] },
  });
  expect(refused.body.fields.tasks).toEqual(["Somebody has logged progress for this goal, so it stays."]);
});

test("C-71 R-69 a change with a goal whose uuid is taken saves nothing, before the run and in it", async () => {
  const host = await makeUser();
  const taken = crypto.randomUUID();
  await makeSession(host, { tasks: [{ uuid: taken, title: "Elsewhere" }] });
  const { id } = await makeSession(host, {
    tasks: [{ title: "Read" }],
    parts: [{ uuid: "g", auto_start: 0, parts: [{ uuid: "p", title: "P", duration: 600 }] }],
  });
  const patch = (challenge: object) => callAs(host, "PATCH", `/challenge-events/${id}/patch`, { challenge });
  const titlesNow = async () => {
    const { session, goals } = await dataOf(host, `/api/sessions/${id}`);
    return [session.title, session.donation_link, ...goals.map(({ title }: { title: string }) => title)];
  };
  const twice = crypto.randomUUID();
  const refusedSaves = async () => {
    for (const uuids of [[taken], [twice, twice]]) {
      const refused = await patch({
        title: "Half",
        donation_link: "https://example.com/half",
        tasks: uuids.map((uuid) => ({ uuid, title: "New" })),
      });
      expect([refused.status, refused.body.message]).toEqual([409, "Another goal has this uuid."]);
      expect(await titlesNow()).toEqual(["Morning pages", "", "Read"]);
    }
  };
  await refusedSaves();
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  await refusedSaves();
  const saved = await patch({ title: "Whole", tasks: [{ uuid: twice, title: "New" }] });
  expect(saved.status).toBe(200);
  expect(await titlesNow()).toEqual(["Whole", "", "New"]);
});

test("C-71 R-69 goals are in the batch of the plan, and a save that came between keeps both as they were", async () => {
  const host = await makeUser();
  const { id } = await makeSession(host, { tasks: [{ title: "Read" }] });
  const change = { session: id, title: "Mine", goals: [{ title: "Mine" }], since: instant(Date.now()) };
  const between = wrappedD1(env.DB, {
    one: (_, __, ask) => ask(),
    batch: async (_, ask, statements) => {
      if (JSON.stringify(statements).includes('update \\"sessions\\"') && !isSaved) {
        isSaved = true;
        vi.setSystemTime(Date.now() + MINUTE);
        await callAs(host, "PATCH", `/challenge-events/${id}/patch`, { challenge: { title: "Theirs" } });
      }
      return ask();
    },
  });
  let isSaved = false;
  const app = { ...(await appOf(host, instant(Date.now()))), db: connect(between) };
  await expect(updateSession(app, change)).rejects.toMatchObject({ code: "CONFLICT" });
  expect(isSaved).toBe(true);
  const { session, goals } = await dataOf(host, `/api/sessions/${id}`);
  expect([session.title, ...goals.map(({ title }: { title: string }) => title)]).toEqual(["Theirs", "Read"]);
});

test("C-71 two updates of different fields at the same moment are both stored", async () => {
  const host = await makeUser();
  const { id } = await makeSession(host);
  let updates = 0;
  const busy = wrappedD1(env.DB, {
    one: (_, __, ask) => ask(),
    batch: async (_, ask) => {
      const challenge = { title: `Evening pages ${++updates}` };
      if (updates < 3) await callAs(host, "PATCH", `/challenge-events/${id}/patch`, { challenge });
      return ask();
    },
  });
  const app = { ...(await appOf(host, instant(Date.now()))), db: connect(busy) };
  await updateSession(app, { session: id, prompt: "Write." });
  expect(await sessionNow(id)).toMatchObject({ title: "Evening pages 2", prompt: "Write." });
});

test("C-71 R-04 an update of start, end, length and plan together changes all four, and a manual start alone clears both dates", async () => {
  const host = await makeUser();
  const { id } = await makeSession(host);
  const patch = (challenge: object) => callAs(host, "PATCH", `/challenge-events/${id}/patch`, { challenge });
  const startedAt = instant(Math.ceil(Date.now() / DAY) * DAY + DAY);
  const endedAt = instant(startedAt + HOUR);
  const isoOf = (at: number) => new Date(at).toISOString();
  const planned = { is_manually_started: 0, started_at: isoOf(startedAt) };
  expect((await patch(planned)).status).toBe(200);
  const moved = await patch({
    started_at: isoOf(startedAt + HOUR),
    ended_at: isoOf(endedAt + 2 * HOUR),
    duration: 7200,
    parts: [{ uuid: "g", parts: [{ uuid: "a", title: "A", duration: 600 }] }],
  });
  expect(moved.status, JSON.stringify(moved.body)).toBe(200);
  expect(await sessionNow(id)).toMatchObject({
    startedAt: startedAt + HOUR,
    endedAt: endedAt + 2 * HOUR,
    duration: 7200,
    schedule: { groups: [{ parts: [{ title: "A" }] }] },
  });
  expect((await patch({ is_manually_started: 1 })).status).toBe(200);
  expect(await sessionNow(id)).toMatchObject({ startedAt: null, endedAt: null });
});

test("A-03 only a super admin makes a session a template", async () => {
  const { host, admin, session } = await stageSession();
  const superAdmin = await makeUser({ roleId: 10 });
  const patch = (user: Parameters<typeof callAs>[0]) =>
    callAs(user, "PATCH", `/challenge-events/${session.id}/patch`, { challenge: { is_preset: 1 } });
  for (const user of [host, admin]) {
    const refused = await patch(user);
    expect([refused.status, refused.body.message]).toEqual([422, "Only a super admin may make a template."]);
  }
  expect((await sessionNow(session.id))?.isTemplate).toBe(false);
  expect((await patch(superAdmin)).status).toBe(200);
  expect((await sessionNow(session.id))?.isTemplate).toBe(true);
});

for (const isRunning of [false, true])
  test(`S-16 E-05 an activity counts no session that is a template, and one that is none again, ${isRunning ? "running" : "ahead"}`, async () => {
    const [host, root] = [await makeUser(), await makeUser({ roleId: 10 })];
    const activities = [await makeActivity(host), await makeActivity(host)];
    const [first, second, elsewhere] = [
      await makeSession(host, { challenge_id: activities[0]?.id }),
      await makeSession(host, { challenge_id: activities[0]?.id }),
      await makeSession(host, { challenge_id: activities[1]?.id }),
    ];
    const begun = isRunning ? [first, second, elsewhere] : [];
    for (const { id } of begun) await callAs(host, "POST", `/challenge-events/${id}/start`, {});
    const counts = async () =>
      (await db.select().from(schema.activities))
        .filter(({ id }) => activities.some((activity) => activity.id === id))
        .map(({ openSessionsCount }) => openSessionsCount);
    expect(await counts()).toEqual([2, 1]);
    const mark = (is_preset: 0 | 1) =>
      callAs(root, "PATCH", `/challenge-events/${first.id}/patch`, { challenge: { is_preset } });
    for (const _ of [1, 2]) {
      expect((await mark(1)).status).toBe(200);
      expect(await counts()).toEqual([1, 1]);
    }
    expect((await mark(0)).status).toBe(200);
    expect(await counts()).toEqual([2, 1]);
  });

test("A-09 the host can change the participant limit, an admin cannot", async () => {
  const { host, admin, session } = await stageSession({ participant_limit: 5 });
  const patch = (user: Parameters<typeof callAs>[0], limit: number) =>
    callAs(user, "PATCH", `/challenge-events/${session.id}/patch`, {
      challenge: { participant_limit: limit },
    });
  expect((await patch(admin, 9)).status).toBe(403);
  expect((await sessionNow(session.id))?.participantLimit).toBe(5);
  expect((await patch(host, 9)).status).toBe(200);
  expect((await sessionNow(session.id))?.participantLimit).toBe(9);
});

test("K-05 a session accepts only a known category, on creation, update and while it runs", async () => {
  const host = await makeUser();
  const refusal = [422, "INVALID", { category: ["Please choose one of the categories."] }];
  const said = ({ status, body }: Awaited<ReturnType<typeof callAs>>) => [
    status,
    body.error_code,
    body.fields,
  ];
  const make = (category: string | null) =>
    callAs(host, "POST", "/challenge-events", {
      challenge: { title: "Morning pages", is_manually_started: 1, duration: 600, category },
    });
  expect(said(await make("nowhere"))).toEqual(refusal);
  expect((await make("")).body.challenge_event.category).toBe(null);
  const { id } = (await make("move")).body.challenge_event;
  expect((await sessionNow(id))?.category).toBe("move");

  const patch = (category: string | null) =>
    callAs(host, "PATCH", `/challenge-events/${id}/patch`, { challenge: { category } });
  const sent = async () => [said(await patch("nowhere")), (await patch("read")).status];
  expect(await sent()).toEqual([refusal, 200]);
  expect((await sessionNow(id))?.category).toBe("read");
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  await patch("move");
  expect(await sent()).toEqual([refusal, 200]);
  expect((await patch("")).status).toBe(200);
  expect((await sessionNow(id))?.category).toBe(null);
});

test("N-21 a start that moves by 5 minutes, and a cancellation, notify every participant but the actor", async () => {
  await emptySpine();
  const start = instant(Math.ceil(Date.now() / DAY) * DAY + 3 * DAY);
  const { host, guest, admin, session } = await stageSession();
  const to = (startedAt: number) =>
    callAs(admin, "PATCH", `/challenge-events/${session.id}/patch`, {
      challenge: { is_manually_started: 0, started_at: new Date(startedAt).toISOString() },
    });
  const said = async () => {
    const { app } = await spineApp(instant(Date.now()));
    await drain(app);
    const rows = await noticeRows();
    return rows
      .map(
        (row) =>
          `${row.userId} ${writeNotice(row, { timeZone: "UTC", locale: "en-GB" }).text.replace(/ to .*/, "")}${row.merged || ""}`,
      )
      .sort();
  };
  expect((await to(start)).status).toBe(200);
  const moved = [host.id, guest.id].map((id) => `${id} Morning pages moved`).sort();
  expect(await said()).toEqual(moved);
  // Four minutes are no news; a second move within ten minutes replaces the unread notice.
  expect((await to(start + 4 * MINUTE)).status).toBe(200);
  expect(await said()).toEqual(moved);
  vi.setSystemTime(Date.now() + MINUTE);
  expect((await to(start + HOUR)).status).toBe(200);
  expect(await said()).toEqual(moved.map((line) => `${line}1`));
  await emptySpine();
  expect((await callAs(host, "POST", `/challenge-events/${session.id}/end`, {})).status).toBe(200);
  expect(await said()).toEqual(
    [guest.id, admin.id].map((id) => `${id} Morning pages was cancelled. Your token was returned.`).sort(),
  );
});

test("N-21 moving 1,000 seats takes at most 3 statements more, and deleting them carries their ids", async () => {
  await emptySpine();
  const host = await makeUser();
  const { id, slug } = await makeSession(host);
  await seatCrowd(id, 1000);
  const app = await appOf(host, instant(Date.now()));
  const { d1, counter } = failingD1(env.DB, { at: 1e9, when: "before" });
  await updateSession(
    { ...app, db: connect(d1) },
    {
      session: id,
      isManuallyStarted: false,
      startedAt: instant(Date.now() + DAY),
    },
  );
  expect(counter.count).toBeLessThan(12);
  expect(await eventRows()).toMatchObject([{ kind: "session-moved", mark: 0 }]);
  await emptySpine();
  expect((await callAs(host, "DELETE", `/challenges/${slug}`)).status).toBe(204);
  const { app: later } = await spineApp(instant(Date.now()));
  await drain(later);
  expect(await noticeRows()).toHaveLength(1000);
});
