// Regression tests of faults that black-box tests found, each by the call that showed it.
import { expect, test } from "vitest";
import { asDeployed } from "./support/as-deployed";
import { callAs, dataOf } from "./support/ask";
import { makeUser } from "./support/factories";
import { makeActivity, makeSession } from "./support/sessions";
import { post, visit } from "./support/visit";

asDeployed();

const create = (user: Parameters<typeof callAs>[0], challenge: object) =>
  callAs(user, "POST", "/challenge-events", {
    challenge: { title: "Short", is_manually_started: 1, ...challenge },
  });

test("C-70 E-06 V-21 a session of an activity without timers has the requested length, when created and when changed", async () => {
  const user = await makeUser();
  const made = await callAs(user, "POST", "/challenges", { challenge: { title: "Without timers" } });
  const challenge_slug = made.body.challenge.slug;
  const session = await create(user, { challenge_slug, duration: 900 });
  expect([session.status, session.body.challenge_event.duration]).toEqual([201, 900]);
  const changed = await callAs(user, "PATCH", `/challenge-events/${session.body.challenge_event.id}/patch`, {
    challenge: { duration: 600 },
  });
  expect([changed.status, changed.body.challenge_event.duration]).toEqual([200, 600]);
});

test("C-70 V-21 a length shorter than the timers of its activity is refused with a sentence", async () => {
  const user = await makeUser();
  const part = (uuid: string) => ({ uuid, title: uuid, duration: 900 });
  const made = await callAs(user, "POST", "/challenges", {
    challenge: { title: "With timers", parts: [{ uuid: "g", parts: [part("a"), part("b")] }] },
  });
  const { status, body } = await create(user, { challenge_slug: made.body.challenge.slug, duration: 900 });
  expect(status).toBe(422);
  expect(body.fields.duration).toEqual([
    "The timers of this session last 30m. Please choose a longer duration, or change the timers first.",
  ]);
});

test("A-11 the title and slug of an unpublished parent are hidden from others on its published child", async () => {
  const [owner, other] = [await makeUser(), await makeUser()];
  const make = async (item: object) => (await callAs(owner, "POST", "/items", { itemData: item })).body;
  const hidden = await make({ title: "Secret shelf", content: "", status: 0 });
  const parent_id = (hidden.item ?? hidden).id;
  const child = await make({ title: "Open book", content: "", status: 1, parent_id });
  const slug = (child.item ?? child).slug;
  for (const path of [`/api/${owner.username}`, `/api/${owner.username}/${slug}`]) {
    const seen = await callAs(other, "GET", path);
    expect(seen.status, path).toBe(200);
    expect(JSON.stringify(seen.body), path).toContain("Open book");
    expect(JSON.stringify(seen.body).toLowerCase(), path).not.toMatch(/secret[ -]shelf/);
  }
  expect((await visit(other, `/${owner.username}`)).html).not.toMatch(/secret[ -]shelf/i);
  const own = await callAs(owner, "GET", `/api/${owner.username}`);
  expect(JSON.stringify(own.body)).toContain("Secret shelf");
});

test("C-02 P-24 E-23 the page of templates has a JSON twin", async () => {
  const admin = await makeUser({ roleId: 10 });
  await makeActivity(admin, { title: "A pattern of its own", isTemplate: true });
  await makeActivity(admin, { title: "No pattern" });
  const { status, body } = await callAs(null, "GET", "/api/challenges/templates?q=pattern");
  expect(status).toBe(200);
  expect(body.serverData.challenges.map(({ title }: { title: string }) => title)).toEqual([
    "A pattern of its own",
  ]);
});

test("E-13 an action named constructor has totals of its own", async () => {
  const user = await makeUser();
  const session = await makeSession(user, { tasks: [{ title: "Build", action: "constructor" }] });
  const [goal] = (await dataOf(user, `/api/sessions/${session.id}/goals`)).goals ?? [];
  const uuid = goal?.uuid ?? (await dataOf(user, `/api/sessions/${session.id}`)).goals[0].uuid;
  for (const amount of [2, 3])
    await callAs(user, "POST", `/challenge-events/${session.id}/logs`, { task_uuid: uuid, amount });
  const answer = await callAs(user, "POST", `/challenge-events/${session.id}/logs`, {
    task_uuid: uuid,
    amount: 4,
  });
  expect(JSON.stringify(answer.body)).toMatch(/"constructor":\{"amount":9[,}]/);
});

test("R-49 T-21 a session's page shows its date as weekday, then month/day/year", async () => {
  const user = await makeUser();
  const startedAt = Date.UTC(2030, 10, 20, 9, 30);
  const { id } = await makeSession(user, { is_manually_started: 0, started_at: startedAt });
  expect((await visit(null, `/sessions/${id}`)).html).toContain("Wednesday, 11/20/2030");
});

test("C-70 V-21 the form reads ten minutes as ten minutes", async () => {
  const user = await makeUser();
  const made = await callAs(user, "POST", "/challenges", { challenge: { title: "An hour", duration: 3600 } });
  const page = await post(user, "/challenges/events/create", {
    title: "Ten minutes",
    activitySlug: made.body.challenge.slug,
    startMode: "manual",
    duration: "10m",
    difficulty: "4",
    schedule: JSON.stringify({ groups: [{ id: "g", parts: [{ id: "p", title: "", duration: 3600 }] }] }),
  });
  const id = /sessions\/(\d+)/.exec(page.location ?? "")?.[1];
  const { body } = await callAs(user, "GET", `/api/sessions/${id}`);
  expect(body.serverData.session.duration).toBe(600);
});
