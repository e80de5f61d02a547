// The hut, category and privacy of sessions, series and their dates, by their own fields and by the activity (P-26, R-87).
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import {
  createSeries,
  iso,
  layOutDays,
  makeRichUser,
  makeSeries,
  openOf,
  restSeries,
  sentencesOf,
  seriesNow,
  sessionsOf,
} from "#tests/support/series";
import { makeActivity, makeHut, makeSession, sessionNow } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { DAY, instant } from "~/domain/time";
import { formForSession } from "./form.server";

beforeEach(restSeries);
keepBystanders(restSeries);

const FORM = "/challenges/events/create?hut=x";
const asPrivate = (hut: { id: number }) =>
  db.update(schema.huts).set({ isPrivate: true }).where(eq(schema.huts.id, hut.id));
const setActivity = (id: number, set: Partial<typeof schema.activities.$inferInsert>) =>
  db.update(schema.activities).set(set).where(eq(schema.activities.id, id));
const start = () => new Date(Date.now() + 2 * DAY).toISOString().slice(0, 13);
/** The posted form of a new session with an hour; every select of the form is sent, "" for None. */
const posted = (title: string, activity: { slug: string }, over: Record<string, string> = {}) => ({
  title,
  startMode: "date",
  startedAt: `${start()}:00`,
  timeZone: "UTC",
  duration: "1h",
  activitySlug: activity.slug,
  hutId: "",
  category: "",
  ...over,
});
async function made(user: TestUser, fields: Record<string, string>) {
  const { location } = await post(user, FORM, fields);
  return sessionNow(Number(location?.replace("/sessions/", "")));
}
/** Whether the list of sessions shows this word to the user. */
const foundBy = async (user: TestUser | null, word: string) =>
  JSON.stringify((await callAs(user, "GET", `/api/events?q=${word}`)).body).includes(word);

test("P-26 R-86 the form's None takes a session and a series out of the activity's hut and category", async () => {
  const [host, member] = [await makeRichUser(), await makeUser()];
  const hut = await makeHut(host, [host, member]);
  const activity = await makeActivity(host, { hutId: hut.id, category: "read" });
  expect(await made(host, posted("Alone", activity))).toMatchObject({ hutId: null, category: null });
  const first = await made(host, posted("Alone weekly", activity, { repeatEvery: "week" }));
  const series = first?.seriesId ?? 0;
  expect(await seriesNow(series)).toMatchObject({ hutId: null });
  const dates = await sessionsOf(series);
  expect(dates.length).toBeGreaterThan(2);
  for (const date of dates) expect(date).toMatchObject({ hutId: null, category: null });
  expect(await sentencesOf(member)).toEqual([]);
  // Left out, both are the activity's.
  const inherits = await makeSession(host, { challenge_id: activity.id });
  expect(await sessionNow(inherits.id)).toMatchObject({ hutId: hut.id, category: "read" });
  const none = await makeSession(host, { challenge_id: activity.id, hut_id: null, category: null });
  expect(await sessionNow(none.id)).toMatchObject({ hutId: null, category: null });
});

test("G-10 P-26 dates that are laid out after a series has left its hut and category follow it", async () => {
  const [host, member] = [await makeRichUser(), await makeUser()];
  const hut = await makeHut(host, [host, member]);
  const activity = await makeActivity(host, { hutId: hut.id, category: "read" });
  const id = await makeSeries(host, {}, { challenge_id: activity.id });
  expect(await seriesNow(id)).toMatchObject({ hutId: hut.id, template: { hutId: hut.id } });
  for (const date of await sessionsOf(id)) expect(date).toMatchObject({ hutId: hut.id, category: "read" });
  const [first] = await openOf(id);
  const none = { challenge: { scope: "all", hut_id: null, category: null } };
  expect((await callAs(host, "PATCH", `/challenge-events/${first?.id}/patch`, none)).status).toBe(200);
  const said = (await sentencesOf(member)).length;
  await layOutDays(14);
  const dates = await openOf(id);
  expect(dates.length).toBeGreaterThan(4);
  for (const date of dates) expect(date).toMatchObject({ hutId: null, category: null });
  expect((await sentencesOf(member)).length).toBe(said);
});

test("R-56 G-08 a series that left the hut of a banned host is laid out on, without the activity's hut", async () => {
  const [owner, host] = [await makeUser(), await makeRichUser()];
  const hut = await makeHut(owner, [owner, host]);
  const activity = await makeActivity(owner, { hutId: hut.id });
  const id = await makeSeries(host, {}, { challenge_id: activity.id, hut_id: hut.id });
  const before = (await openOf(id)).length;
  const ban = { ban: 1 };
  expect((await callAs(owner, "PATCH", `/groups/${hut.slug}/members/${host.username}`, ban)).status).toBe(
    200,
  );
  await layOutDays(14);
  const dates = await openOf(id);
  expect([(await seriesNow(id))?.stop, dates.length > before]).toEqual([null, true]);
  for (const date of dates) expect(date.hutId).toBe(null);
});

test("R-87 a private series stays outside the hut that its activity is attached to later", async () => {
  const [host, member, outsider] = [await makeRichUser(), await makeUser(), await makeUser()];
  const activity = await makeActivity(host, { isPrivate: true });
  const id = await makeSeries(host, {}, { challenge_id: activity.id, is_private: 1, title: "Hushed heron" });
  const hut = await makeHut(host, [host, member]);
  const attached = await callAs(host, "PATCH", `/groups/${hut.slug}/${activity.slug}/attach-challenge`, {});
  expect(attached.status).toBe(200);
  await layOutDays(14);
  const dates = await openOf(id);
  expect(dates.length).toBeGreaterThan(4);
  for (const date of dates) expect(date).toMatchObject({ hutId: null, isPrivate: true });
  expect(await sentencesOf(member)).toEqual([]);
  expect(await foundBy(outsider, "Hushed")).toBe(false);
});

test("R-87 H-13 a series of a private activity is private with all its dates, by the call and by the form", async () => {
  const [host, outsider] = [await makeRichUser(), await makeUser()];
  const activity = await makeActivity(host, { isPrivate: true, content: "Secret words" });
  const id = await makeSeries(host, {}, { challenge_id: activity.id, title: "Secret osprey" });
  const first = await made(host, posted("Secret osprey too", activity, { repeatEvery: "week" }));
  for (const series of [id, first?.seriesId ?? 0]) {
    expect(await seriesNow(series)).toMatchObject({ hutId: null, isPrivate: true });
    const dates = await sessionsOf(series);
    expect(dates.length).toBeGreaterThan(2);
    for (const date of dates) expect(date.isPrivate).toBe(true);
    expect((await visit(outsider, `/series/${(await seriesNow(series))?.slug}`)).status).toBe(404);
  }
  expect(await foundBy(outsider, "osprey")).toBe(false);
  // The maker may make it public at once, and its dates with it.
  const shown = await createSeries(host, {}, { challenge_id: activity.id, title: "Osprey", is_private: 0 });
  expect(await seriesNow(shown.body.series.id)).toMatchObject({ isPrivate: false });
  for (const date of await sessionsOf(shown.body.series.id)) expect(date.isPrivate).toBe(false);
});

test("R-87 Q-27 a series of an activity in a private hut is in that hut, and ends with it", async () => {
  const [host, outsider] = [await makeRichUser(), await makeUser()];
  const hut = await makeHut(host, [host]);
  await asPrivate(hut);
  const activity = await makeActivity(host, { hutId: hut.id });
  const id = await makeSeries(host, {}, { challenge_id: activity.id, title: "Hidden bittern" });
  expect(await seriesNow(id)).toMatchObject({ hutId: hut.id, isPrivate: true });
  expect((await visit(outsider, `/series/${(await seriesNow(id))?.slug}`)).status).toBe(404);
  // Outside the hut, also by the form's None, it is private all the same.
  const alone = await made(host, posted("Hidden bittern alone", activity, { repeatEvery: "week" }));
  expect(alone).toMatchObject({ hutId: null, isPrivate: true });
  expect(await seriesNow(alone?.seriesId ?? 0)).toMatchObject({ hutId: null, isPrivate: true });
  const asked = { challenge_id: activity.id, hut_id: null, is_private: 0 };
  expect(await sessionNow((await makeSession(host, asked)).id)).toMatchObject({ isPrivate: true });
  expect((await callAs(host, "DELETE", `/groups/${hut.slug}`, { slug: hut.slug })).status).toBe(204);
  expect((await seriesNow(id))?.endedAt).not.toBe(null);
  await layOutDays(14);
  expect(await openOf(id)).toEqual([]);
  for (const date of await openOf(alone?.seriesId ?? 0)) expect(date.isPrivate).toBe(true);
  expect(await foundBy(outsider, "bittern")).toBe(false);
});

test("R-87 a public series lays out private dates once its activity has become private", async () => {
  const host = await makeRichUser();
  const activity = await makeActivity(host);
  const id = await makeSeries(host, {}, { challenge_id: activity.id, is_private: 0 });
  const { length } = await openOf(id);
  await setActivity(activity.id, { isPrivate: true });
  await layOutDays(14);
  expect((await openOf(id)).map(({ isPrivate }) => isPrivate)).toEqual(
    (await openOf(id)).map((_, index) => index >= length),
  );
});

test("R-87 G-17 a series that its host made public beside a private activity has public dates of each host in turn", async () => {
  const [host, turn] = [await makeRichUser(), await makeRichUser()];
  const activity = await makeActivity(host, { isPrivate: true });
  const shown = await makeSeries(host, {}, { challenge_id: activity.id, is_private: 0 });
  const asks = await makeSeries(host, {}, { challenge_id: (await makeActivity(host)).id });
  for (const id of [shown, asks]) {
    await callAs(host, "PUT", `/api/series/${id}/hosts/${turn.username}`, {});
    await callAs(turn, "POST", `/api/series/${id}/accept-turn`, { is_free: 0 });
  }
  // The other series never chose, so it is as private as its activity is by then.
  await db.update(schema.activities).set({ isPrivate: true }).where(eq(schema.activities.ownerId, host.id));
  await layOutDays(7);
  await layOutDays(14);
  for (const id of [shown, asks]) {
    const theirs = (await openOf(id)).filter(({ ownerId }) => ownerId === turn.id);
    expect(theirs.length).toBeGreaterThan(0);
    for (const date of theirs) expect(date.isPrivate).toBe(id === asks);
  }
});

test("R-87 G-02 a repeat outside a private hut is private unless its form says otherwise", async () => {
  const host = await makeRichUser();
  const hut = await makeHut(host, [host]);
  await asPrivate(hut);
  const { id } = await makeSession(host, { hut_id: hut.id });
  const fields = posted("Repeated", { slug: "" }, { repeats: String(id) });
  expect(await made(host, fields)).toMatchObject({ hutId: null, isPrivate: true });
  expect(await made(host, { ...fields, hutId: String(hut.id) })).toMatchObject({
    hutId: hut.id,
    isPrivate: true,
  });
});

test("A-09 P-26 R-34 a public hut comes with its activity, a named one asks for the membership, and the form offers None to others", async () => {
  const [owner, outsider] = await makeUsers(2);
  const hut = await makeHut(owner, [owner]);
  const activity = await makeActivity(owner, { hutId: hut.id });
  const challenge = { title: "Uninvited", is_manually_started: 1, duration: 600, challenge_id: activity.id };
  const named = { ...challenge, hut_id: hut.id };
  const refused = await callAs(outsider, "POST", "/challenge-events", { challenge: named });
  expect([refused.status, refused.body.fields]).toEqual([422, { hut_id: ["Please join this hut first."] }]);
  expect((await createSeries(outsider, {}, { ...named, is_manually_started: 0 })).status).toBe(422);
  const mine = await db.select().from(schema.series).where(eq(schema.series.ownerId, outsider.id));
  expect(mine).toEqual([]);
  const inherited = await callAs(outsider, "POST", "/challenge-events", { challenge });
  expect([inherited.status, inherited.body.challenge_event.hut_id]).toEqual([201, hut.id]);
  const form = await formForSession(await appOf(outsider), { activity: activity.slug });
  expect(form.values.hutId).toBe(null);
  expect(await made(outsider, posted("On my own", activity))).toMatchObject({ hutId: null });
});

/** A session of somebody else's activity in their public hut, of which its host is no member. */
async function guestSession() {
  const [owner, host] = [await makeUser(), await makeRichUser()];
  const hut = await makeHut(owner, [owner]);
  const activity = await makeActivity(owner, { hutId: hut.id });
  const { id } = await makeSession(host, { challenge_id: activity.id });
  expect(await sessionNow(id)).toMatchObject({ hutId: hut.id });
  return { owner, host, hut, activity, id };
}
const repeat = (host: TestUser, id: number) => callAs(host, "POST", `/challenge-events/${id}/repeat`, {});
const weekly = () => ({ every: "WEEKLY", startedAt: `${start()}:00`, timeZone: "UTC" });
async function madeSeries(host: TestUser, id: number) {
  const { location } = await post(host, `/my/series?session=${id}`, {
    intent: "create",
    session: String(id),
    ...weekly(),
  });
  return seriesNow(Number(location?.split("/").at(-1)));
}

test("A-09 G-02 G-04 a session in the public hut that came with its activity is repeated there, by the call and as a series", async () => {
  const { host, hut, activity, id } = await guestSession();
  const again = await repeat(host, id);
  expect([again.status, again.body.challenge_event?.hut_id]).toEqual([201, hut.id]);
  const made = await madeSeries(host, id);
  expect(made).toMatchObject({ hutId: hut.id, template: { hutId: hut.id, activityId: activity.id } });
  expect(made?.template).not.toHaveProperty("repeatedHutId");
  const dates = await openOf(made?.id ?? 0);
  expect(dates.length).toBeGreaterThan(2);
  for (const { hutId } of dates) expect(hutId).toBe(hut.id);
});

test("A-09 G-03 R-86 the form of a repeat offers the public hut that came with the activity, and keeps it", async () => {
  const { host, hut, activity, id } = await guestSession();
  const form = await formForSession(await appOf(host), { repeats: id });
  expect([form.values.hutId, form.huts]).toEqual([
    hut.id,
    [{ id: hut.id, slug: hut.slug, title: hut.title }],
  ]);
  const fields = posted("Again", activity, { repeats: String(id), hutId: String(hut.id) });
  expect(await made(host, fields)).toMatchObject({ hutId: hut.id });
  const first = await made(host, { ...fields, repeatEvery: "week" });
  const dates = await sessionsOf(first?.seriesId ?? 0);
  expect(dates.length).toBeGreaterThan(2);
  for (const { hutId } of dates) expect(hutId).toBe(hut.id);
  expect(await made(host, { ...fields, hutId: "" })).toMatchObject({ hutId: null });
  // Control: a new session that names the hut asks for the membership.
  expect((await post(host, FORM, { ...fields, repeats: "" })).html).toContain("Please join this hut first.");
});

test.each([
  ["became private", 422],
  ["lost the activity", 422],
  ["mutes the host", 403],
] as const)("A-09 G-02 a session is not repeated in a hut that %s", async (cause, status) => {
  const { host, hut, activity, id } = await guestSession();
  if (cause === "lost the activity") await setActivity(activity.id, { hutId: null });
  else if (cause === "became private") await asPrivate(hut);
  else {
    const row = { scope: "hut", targetId: hut.id, userId: host.id, kind: "mute" } as const;
    await db.insert(schema.sanctions).values({ ...row, createdAt: instant(Date.now()) });
  }
  const form = await formForSession(await appOf(host), { repeats: id }).catch(() => null);
  expect((form?.huts ?? []).length).toBe(cause === "mutes the host" ? 1 : 0);
  expect((await repeat(host, id)).status).toBe(status);
  const fields = posted("Again", activity, { repeats: String(id), hutId: String(hut.id) });
  expect((await post(host, FORM, fields)).status).toBe(status);
});

/** A series of an activity in a hut, as an earlier release stored it: its host was not asked to be a member. */
async function formerSeries(host: TestUser, isPrivate = false) {
  const owner = await makeUser();
  const hut = await makeHut(owner, [owner]);
  const id = await makeSeries(host, {}, { title: "Former finch" });
  const activity = await makeActivity(owner, { hutId: hut.id });
  const template = { ...((await seriesNow(id))?.template ?? { title: "" }), activityId: activity.id };
  const store = (hutId: number | null) =>
    db
      .update(schema.series)
      .set({ hutId, template: { ...template, hutId: hutId ?? undefined } })
      .where(eq(schema.series.id, id));
  if (isPrivate) await asPrivate(hut);
  return { id, owner, hut, activity, store, made: (await openOf(id)).length };
}

test("G-08 A-09 an earlier series in the public hut of its activity goes on there without a membership", async () => {
  const host = await makeRichUser();
  const { id, hut, store, made: before } = await formerSeries(host);
  await store(hut.id);
  await layOutDays(14);
  const dates = (await openOf(id)).slice(before);
  expect([(await seriesNow(id))?.stop, dates.length > 0]).toEqual([null, true]);
  for (const { hutId } of dates) expect(hutId).toBe(hut.id);
});

test.each([
  ["mute", "Q-16"],
  ["ban", "R-56"],
  ["privacy", "Q-27"],
  ["another hut", "A-09"],
] as const)(
  "G-08 %s stops the dates of an earlier series in the hut of its activity (%s)",
  async (cause, _) => {
    const host = await makeRichUser();
    const { id, owner, hut, activity, store, made: before } = await formerSeries(host, cause === "privacy");
    await store(hut.id);
    if (cause === "another hut") {
      const other = await makeHut(owner, [owner]);
      await setActivity(activity.id, { hutId: other.id });
    }
    if (cause === "mute" || cause === "ban") {
      const row = { scope: "hut", targetId: hut.id, userId: host.id, kind: cause } as const;
      await db.insert(schema.sanctions).values({ ...row, createdAt: instant(Date.now()) });
    }
    await layOutDays(14);
    expect([(await seriesNow(id))?.stop?.code, (await openOf(id)).length]).toEqual(["refused", before]);
  },
);

test.each([
  ["public", "public and outside the hut"],
  ["private", "private"],
] as const)(
  "P-26 R-87 an earlier series without a hut of its own, of an activity in a %s hut, lays out dates that are %s",
  async (kind, _) => {
    const [host, outsider] = [await makeRichUser(), await makeUser()];
    const { id, hut, store, made: before } = await formerSeries(host, kind === "private");
    await store(null);
    for (const isMember of kind === "private" ? [true, false] : [false]) {
      if (isMember)
        await db
          .insert(schema.hutMembers)
          .values({ hutId: hut.id, userId: host.id, joinedAt: instant(Date.now()) });
      await layOutDays(isMember ? 7 : 14);
      if (isMember) await db.delete(schema.hutMembers).where(eq(schema.hutMembers.userId, host.id));
    }
    const dates = (await openOf(id)).slice(before);
    expect(dates.length).toBeGreaterThan(kind === "private" ? 1 : 0);
    for (const date of dates) expect(date).toMatchObject({ hutId: null, isPrivate: kind === "private" });
    const pages = await Promise.all(dates.map((date) => visit(outsider, `/sessions/${date.id}`)));
    for (const { status } of pages) expect(status).toBe(kind === "private" ? 404 : 200);
  },
);

test("Q-16 a member who is muted in a hut makes neither a session nor a series in it by its activity", async () => {
  const [owner, muted] = await makeUsers(2);
  const hut = await makeHut(owner, [owner, muted]);
  const activity = await makeActivity(owner, { hutId: hut.id });
  await callAs(owner, "PATCH", `/groups/${hut.slug}/members/${muted.username}`, { mute: 1 });
  const challenge = { title: "Quiet", is_manually_started: 1, duration: 600, challenge_id: activity.id };
  expect((await callAs(muted, "POST", "/challenge-events", { challenge })).status).toBe(403);
  expect((await createSeries(muted, {}, { challenge_id: activity.id })).status).toBe(403);
});

test("G-10 A-09 a series moves only to a hut of its host, also while it has no date", async () => {
  const [host, other] = [await makeRichUser(), await makeUser()];
  const hut = await makeHut(other, [other]);
  const id = await makeSeries(host, { started_at: iso(Date.now() + 40 * DAY) });
  expect(await openOf(id)).toEqual([]);
  const moved = await callAs(host, "PATCH", `/api/series/${id}`, { session: { hut_id: hut.id } });
  expect([moved.status, (await seriesNow(id))?.hutId]).toEqual([422, null]);
});

test("G-11 G-17 the owner of a series moves a date that another hosts", async () => {
  const [owner, other] = [await makeRichUser(), await makeRichUser()];
  const id = await makeSeries(owner);
  await callAs(owner, "PUT", `/api/series/${id}/hosts/${other.username}`, {});
  await callAs(other, "POST", `/api/series/${id}/accept-turn`, { is_free: 0 });
  await layOutDays(7);
  await layOutDays(14);
  const theirs = (await openOf(id)).find(({ ownerId }) => ownerId === other.id);
  const to = (theirs?.startedAt ?? 0) + DAY;
  const day = { started_at: iso(to) };
  const moved = await callAs(owner, "PATCH", `/api/series/${id}/days/${theirs?.seriesDay}`, day);
  expect([moved.status, (await sessionNow(theirs?.id ?? 0))?.startedAt]).toEqual([200, to]);
  const refused = await callAs(other, "PATCH", `/api/series/${id}/days/${theirs?.seriesDay}`, day);
  expect(refused.status).toBe(403);
});
