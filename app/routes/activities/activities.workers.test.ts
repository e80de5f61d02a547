// The page and the forms of an activity, as rendered by the server.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs, dataOf } from "#tests/support/ask";
import { makeUser, type TestUser } from "#tests/support/factories";
import { makeSession } from "#tests/support/sessions";
import { post, type Visited, visit } from "#tests/support/visit";

const make = async (user: TestUser, challenge: object): Promise<{ slug: string }> =>
  (await callAs(user, "POST", "/challenges", { challenge })).body.challenge;
const makeHut = async (user: TestUser, title: string): Promise<{ id: number; slug: string }> =>
  (await callAs(user, "POST", "/groups/store", { hut: { title } })).body.hut;
const shown = async (slug: string) => (await dataOf(null, `/api/activities/${slug}`)).challenge;

/** The values of the form's fields. */
async function fieldsOf(page: Visited): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { attributes } of await page.all("main form input"))
    if (attributes.name && (!/^(checkbox|radio)$/.test(attributes.type ?? "") || "checked" in attributes))
      values[attributes.name] = attributes.value ?? "";
  for (const { attributes } of await page.all("main form select")) {
    const [chosen] = await page.all(`main form select[name="${attributes.name}"] option[selected]`);
    values[attributes.name ?? ""] = chosen?.attributes.value ?? "";
  }
  for (const { text, attributes } of await page.all("main form textarea"))
    values[attributes.name ?? ""] = text;
  return values;
}

test("P-23 U-38 Create a New Activity has every field in a plain form, and redirects to its path", async () => {
  const user = await makeUser();
  const hut = await makeHut(user, `Hut of ${user.username}`);
  expect((await visit(null, "/challenges/create")).location).toBe("/?auth=login&next=%2Fchallenges%2Fcreate");
  const form = await visit(user, `/challenges/create?hut=${hut.slug}`);
  expect(await form.texts("h1")).toEqual(["Create a New Activity"]);
  const fields = await fieldsOf(form);
  expect(fields).toMatchObject({ intent: "create", hutId: String(hut.id), difficulty: "4" });

  const typed = { ...fields, title: "", content: "Two *laps*", duration: "1h 30m", category: "move" };
  const wrong = await post(user, "/challenges/create", { ...typed, "goals[0].amount": "2" });
  expect(wrong.status).toBe(422);
  expect(wrong.html).toContain("Please set the challenge title.");
  expect(wrong.html).toContain("Please give your goal a title.");
  expect(await fieldsOf(wrong)).toMatchObject({
    content: "Two *laps*",
    duration: "1h 30m",
    category: "move",
    hutId: String(hut.id),
    "goals[0].amount": "2",
  });

  const made = await post(user, "/challenges/create", {
    ...typed,
    title: `Laps of ${user.username}`,
    "goals[0].title": "Run",
    "goals[0].amount": "2",
    "goals[0].unit": "laps",
    "goals[1].title": "Stretch",
  });
  expect([made.status, made.location]).toEqual([302, `/activities/laps-of-${user.username}`]);
  expect(await shown(`laps-of-${user.username}`)).toMatchObject({
    content_html: "<p>Two <em>laps</em></p>",
    duration: 5400,
    category_name: "Move",
    hut_slug: hut.slug,
    tasks: [
      { title: "Run", amount: 2, unit: "laps" },
      { title: "Stretch", amount: 1 },
    ],
  });
});

test("P-23 a template fills the form of a new activity, with its goals as new ones", async () => {
  const [maker, user] = [await makeUser({ roleId: 10 }), await makeUser()];
  const { slug } = await make(maker, {
    title: "Pattern",
    content: "As it was",
    difficulty: 6,
    is_preset: 1,
    tasks: [
      {
        title: "Knit",
        amount: 7,
        unit: "rows",
        content: "With *wool*",
        link: "https://example.com/",
        action: "Make",
        completions_required: 3,
        recurrence: { every: "week", times: 4 },
        tags: ["wool", "calm"],
        items: [{ title: "Find the needles" }],
        quick_log_buttons: [{ title: "A row", amount: 1 }],
        timers: [{ title: "Rows", is_interval: 1, sets: 2, timers: [{ title: "Knit", duration: 60 }] }],
      },
    ],
  });
  const fields = await fieldsOf(await visit(user, `/challenges/create?template=${slug}`));
  expect(fields).toMatchObject({
    intent: "create",
    title: "Pattern",
    content: "As it was",
    difficulty: "6",
    "goals[0].title": "Knit",
    "goals[0].amount": "7",
  });
  expect(fields).not.toHaveProperty("goals[0].uuid");
  const made = await post(user, `/challenges/create?template=${slug}`, fields);
  expect(made.location).toMatch(/^\/activities\/pattern-[a-z0-9]{5}$/);
  const copy = await shown(made.location?.replace("/activities/", "") ?? "");
  // Every field, on a goal of its own.
  const {
    id: _,
    uuid: __,
    task_uuids: ___,
    username: ____,
    can_complete,
    is_owner,
    created_at,
    updated_at,
    is_list,
    ...same
  } = (await shown(slug)).tasks[0];
  expect(copy).toMatchObject({ is_preset: 0, tasks: [same] });
  expect(copy.tasks[0].uuid).not.toBe((await shown(slug)).tasks[0].uuid);
  expect((await visit(user, "/challenges/create?template=nothing-like-it")).status).toBe(404);
});

test("P-23 U-39 a template session fills the form of a new activity, any other session does not", async () => {
  const [admin, user] = [await makeUser({ roleId: 10 }), await makeUser()];
  const plan = { parts: [{ title: "Round", duration: 600 }], tasks: [{ title: "Row a mile" }] };
  const template = await makeSession(admin, { title: "Rowing", is_preset: 1, difficulty: 6, ...plan });
  const page = await visit(user, `/challenges/create?template=${template.slug}`);
  const fields = await fieldsOf(page);
  expect(fields).toMatchObject({ title: "Rowing", difficulty: "6", "goals[0].title": "Row a mile" });
  expect(JSON.parse(fields.schedule ?? "").groups[0].parts).toMatchObject([
    { title: "Round", duration: 600 },
  ]);
  expect(fields).not.toHaveProperty("isTemplate");
  const coded = await makeSession(admin, { is_preset: 1, join_code: "heather" });
  const plain = await makeSession(user);
  for (const { slug } of [coded, plain])
    expect((await visit(user, `/challenges/create?template=${slug}`)).status).toBe(404);
});

test("P-23 U-17 the form contains a goal's checklist, quick-log buttons, recurrence and tags, and a refusal keeps them", async () => {
  const user = await makeUser();
  const fields = await fieldsOf(await visit(user, "/challenges/create"));
  const typed = {
    ...fields,
    title: `Folded of ${user.username}`,
    "goals[0].title": "Drink",
    "goals[0].items[0].title": "Fill the bottle",
    "goals[0].items[1].title": "Empty it",
    "goals[0].items[1].link": "no address at all",
    "goals[0].quickLogButtons[0].title": "A glass",
    "goals[0].quickLogButtons[0].status": "2",
    "goals[0].quickLogButtons[0].duration": "soon",
    "goals[0].timers[0].title": "Sip",
    "goals[0].timers[0].duration": "2m",
    "goals[0].content": "Slowly, *please*",
    "goals[0].every": "week",
    "goals[0].times": "5",
    "goals[0].tags": "Calm, at noon",
  };
  const wrong = await post(user, "/challenges/create", typed);
  expect(wrong.status).toBe(422);
  expect(wrong.html).toContain("Please give an address that begins with https://");
  expect(await wrong.all('[name="goals[0].items[1].link"][aria-invalid="true"]')).toHaveLength(1);
  expect(await wrong.all('[name="goals[0].quickLogButtons[0].duration"][aria-invalid="true"]')).toHaveLength(
    1,
  );
  const again = await fieldsOf(wrong);
  // Each load has a uuid of its own behind the mark.
  const withoutUuid = (values: Record<string, string>) => ({
    ...values,
    madeFor: values.madeFor?.replace(/\.[0-9a-f-]{36}$/, ""),
  });
  expect(withoutUuid(again)).toMatchObject(withoutUuid(typed));
  const made = await post(user, "/challenges/create", {
    ...again,
    "goals[0].items[1].link": "example.com",
    "goals[0].quickLogButtons[0].duration": "5m",
  });
  expect(made.status).toBe(302);
  const slug = made.location?.replace("/activities/", "") ?? "";
  const { tasks } = await shown(slug);
  expect(tasks).toMatchObject([
    {
      title: "Drink",
      content: "Slowly, *please*",
      is_list: 1,
      items: [{ title: "Fill the bottle" }, { title: "Empty it", link: "https://example.com" }],
      quick_log_buttons: [{ title: "A glass", status: 2, duration: 300, amount: null }],
      timers: [{ title: "Sip", duration: 120 }],
      recurrence: { every: "week", times: 5 },
      tags: ["calm", "at noon"],
    },
  ]);
  const page = await visit(null, `/activities/${slug}`);
  expect(await page.texts("main section li li")).toEqual(["Fill the bottle", "Empty it"]);

  // Saving it unchanged changes nothing; an emptied line is removed, and the others keep their ids for the ticks.
  const path = `/challenges/${slug}/update`;
  const kept = await fieldsOf(await visit(user, path));
  await post(user, path, kept);
  expect((await shown(slug)).tasks).toEqual(
    tasks.map((task: object) => expect.objectContaining({ ...task, updated_at: expect.anything() })),
  );
  await post(user, path, { ...kept, "goals[0].items[0].title": "" });
  expect((await shown(slug)).tasks[0].items).toEqual([tasks[0].items[1]]);
});

test("K-06 a taken slug gets a suffix of five random letters and digits", async () => {
  const user = await makeUser();
  await make(user, { title: "Twice there" });
  expect((await make(user, { title: "Twice there" })).slug).toMatch(/^twice-there-[a-z0-9]{5}$/);
  await makeHut(user, "Twice a hut");
  expect((await makeHut(user, "Twice a hut")).slug).toMatch(/^twice-a-hut-[a-z0-9]{5}$/);
});

test("P-25 U-38 Update Activity is filled in for its owner, and saving redirects to its path", async () => {
  const [owner, stranger] = [await makeUser(), await makeUser()];
  const { slug } = await make(owner, {
    title: "Old name",
    participant_limit: 5,
    tasks: [{ title: "Run", amount: 3, content: "Kept" }, { title: "Goes" }],
  });
  const path = `/challenges/${slug}/update`;
  expect((await visit(null, path)).location).toBe(`/?auth=login&next=${encodeURIComponent(path)}`);
  expect((await visit(stranger, path)).status).toBe(403);
  const form = await visit(owner, path);
  expect(await form.texts("h1")).toEqual(["Update Activity"]);
  const fields = await fieldsOf(form);
  expect(fields).toMatchObject({ intent: "update", title: "Old name", participantLimit: "5" });
  const run = (await shown(slug)).tasks[0].uuid;
  const saved = await post(owner, path, {
    ...fields,
    title: "New name",
    "goals[0].title": "Run slowly",
    "goals[1].title": "",
    "goals[1].amount": "",
  });
  expect([saved.status, saved.location]).toEqual([302, `/activities/${slug}`]);
  expect(await shown(slug)).toMatchObject({
    title: "New name",
    tasks: [{ uuid: run, title: "Run slowly", amount: 3, content: "Kept" }],
  });
});

test("P-30 an activity's page has breadcrumbs, content, goals, the number of active sessions, and their list", async () => {
  const [owner, user] = [await makeUser(), await makeUser()];
  const hut = await makeHut(owner, "Ridge people");
  const { slug } = await make(owner, {
    title: "Ridge walk",
    content: "Along the **ridge**",
    hut_id: hut.id,
    tasks: [{ title: "Walk", amount: 4, unit: "hours" }],
  });
  for (const title of ["First walk", "Second walk"])
    await makeSession(owner, { challenge_slug: slug, title });
  const page = await visit(user, `/activities/${slug}`);
  expect(await page.texts("h1")).toEqual(["Ridge walk"]);
  expect(await page.texts('nav[aria-label="Breadcrumb"] li')).toEqual([
    "Home",
    "›Ridge people",
    "›Ridge walk",
    "›Sessions",
  ]);
  expect(page.html).toContain("<p>Along the <strong>ridge</strong></p>");
  expect(await page.texts("main span")).toEqual(
    expect.arrayContaining(["2 active sessions", "Walk", "4 hours"]),
  );
  expect(await page.texts('main [aria-label="Sessions of this activity"] > li h3')).toEqual([
    "Second walk",
    "First walk",
  ]);
  const menu = async (who: TestUser | null) => {
    const seen = await visit(who, `/activities/${slug}`);
    return {
      update: "Update" in (await seen.links()),
      leave: (await seen.texts("main form button")).includes("Leave"),
    };
  };
  await callAs(user, "POST", `/challenges/${slug}/join`, {});
  expect(await menu(null)).toEqual({ update: false, leave: false });
  expect(await menu(user)).toEqual({ update: false, leave: true });
  expect(await menu(owner)).toEqual({ update: true, leave: false });
  expect(await menu(await makeUser({ roleId: 10 }))).toEqual({ update: true, leave: false });
  expect((await visit(null, "/activities/nothing-like-it")).status).toBe(404);
});

test("A-03 C-56 only a super admin sees Reset challenge at an activity, and resets its sessions there", async () => {
  const [owner, admin] = [await makeUser(), await makeUser({ roleId: 10 })];
  const { slug } = await make(owner, { title: "Begun too early" });
  const session = await makeSession(owner, { challenge_slug: slug });
  await callAs(owner, "POST", `/challenge-events/${session.id}/start`, {});
  const statusNow = async () => (await dataOf(owner, `/api/sessions/${session.id}`)).session.status;
  expect(await statusNow()).toBe(1);
  const sees = async (who: TestUser | null) =>
    (await visit(who, `/activities/${slug}`)).html.includes("Reset challenge");
  expect([await sees(null), await sees(owner), await sees(admin)]).toEqual([false, false, true]);
  expect((await post(owner, `/activities/${slug}`, { intent: "reset" })).status).toBe(403);
  expect(await statusNow()).toBe(1);
  expect((await post(admin, `/activities/${slug}`, { intent: "reset" })).status).toBe(200);
  expect(await statusNow()).toBe(0);
});

test("M-20 M-38 following shows a message, and so does an activity without sessions", async () => {
  const [owner, user] = [await makeUser(), await makeUser()];
  const { slug } = await make(owner, { title: "Lonely" });
  expect((await visit(null, `/activities/${slug}`)).html).toContain(
    "This activity doesn&#x27;t have any active events.",
  );
  const followed = await post(user, `/activities/${slug}`, { intent: "follow" });
  expect(followed.html).toContain("You have successfully followed this activity.");
  expect(await followed.texts("main form button")).toContain("Leave");
  const refused = await post(null, `/activities/${slug}`, { intent: "follow" });
  expect(refused.status).toBe(401);
  expect(refused.html).not.toContain("You have successfully followed");
});

test("U-38 saving a session redirects to its path, after creating and editing", async () => {
  const user = await makeUser();
  const fields = await fieldsOf(await visit(user, "/challenges/events/create"));
  const made = await post(user, "/challenges/events/create", {
    ...fields,
    title: "Made by hand",
    duration: "30m",
    startMode: "manual",
  });
  expect(made.status, made.html.slice(0, 300)).toBe(302);
  expect(made.location).toMatch(/^\/sessions\/\d+$/);
  const path = `${made.location?.replace("/sessions/", "/events/")}/update`;
  const kept = await fieldsOf(await visit(user, path));
  const saved = await post(user, path, { ...kept, title: "Changed by hand" });
  expect([saved.status, saved.location]).toEqual([302, made.location]);
  expect(await (await visit(user, made.location ?? "")).texts("h1")).toEqual(["Changed by hand"]);
});

test("without JavaScript the timers of an activity are rows, kept after a refusal and applied on save", async () => {
  const owner = await makeUser();
  const rows = {
    "rows[0].title": "Warm up",
    "rows[0].duration": "5m",
    "rows[0].isAutoStart": "on",
    "rows[1].title": "Write",
    "rows[1].duration": "soon",
  };
  const form = { intent: "create", title: "Rows of timers", schedule: '{"groups":[]}', ...rows };
  const refused = await post(owner, "/challenges/create", form);
  expect(refused.status).toBe(422);
  const typed = [...refused.html.matchAll(/name="rows\[(\d)\]\.(title|duration)"[^>]*value="([^"]*)"/g)];
  expect(typed.map(([, row, name, value]) => `${row} ${name} ${value}`)).toEqual(
    expect.arrayContaining(["0 title Warm up", "0 duration 5m", "1 title Write", "1 duration soon"]),
  );
  const made = await post(owner, "/challenges/create", { ...form, "rows[1].duration": "25m" });
  expect(made.status).toBe(302);
  const row = await env.DB.prepare("SELECT schedule FROM activities WHERE title = 'Rows of timers'").first();
  const { groups } = JSON.parse(String(row?.schedule)) as {
    groups: { parts: { title: string; duration: number }[] }[];
  };
  expect(groups.flatMap(({ parts }) => parts.map(({ title, duration }) => [title, duration]))).toEqual([
    ["Warm up", 300],
    ["Write", 1500],
  ]);
});
