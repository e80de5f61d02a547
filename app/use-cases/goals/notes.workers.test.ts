// Notes through HTTP: create, update, list; permissions, prices, repeats.
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { db, makeUser, reload, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { stageSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { NOTE_EMPTY } from "~/domain/goals/notes";

test("C-42 E-17 B-05 a note call answers the note with every field, and costs 0.01", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user);
  const { status, body } = await callAs(user, "POST", "/api/notes", {
    title: " This week ",
    content: "Walk **far**",
    todo: "Boots\nMap",
    done: "Tea",
    goal_id: goal.id,
  });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.any(Number),
    title: "This week",
    content: "Walk **far**",
    content_html: "<p>Walk <strong>far</strong></p>",
    summary: "Walk far",
    todo: "Boots\nMap",
    done: "Tea",
    goal_id: goal.id,
    created_at: expect.stringMatching(/Z$/),
    updated_at: expect.stringMatching(/Z$/),
  });
  expect((await reload(user))?.tokens).toBe(999);
});

test("V-10 C-42 the title is optional, an empty note is refused, and so is the goal of another user", async () => {
  const user = await makeUser();
  expect((await callAs(user, "POST", "/api/notes", { todo: "Sweep" })).body.title).toBe("");
  const empty = await callAs(user, "POST", "/api/notes", { title: "  ", content: "" });
  expect([empty.status, empty.body.error_code, empty.body.fields]).toEqual([
    422,
    "INVALID",
    { title: [NOTE_EMPTY] },
  ]);
  const theirs = await makeGoal(await makeUser());
  const tied = await callAs(user, "POST", "/api/notes", { title: "x", goal_id: theirs.id });
  expect([tied.status, tied.body.fields]).toEqual([422, { goal_id: ["We could not find that goal."] }]);
  const long = await callAs(user, "POST", "/api/notes", { title: "x".repeat(201), todo: 7 });
  expect(long.body.fields).toEqual({
    title: ["Please write at most 200 characters."],
    todo: ["Please give a text."],
  });
  expect((await reload(user))?.tokens).toBe(999);
});

test("P-17 C-42 A-05 people who run a session add notes to its goals and control their own logs, and nobody else's", async () => {
  const { host, guest, admin, session, event, view } = await stageSession({
    tasks: [{ title: "Read", amount: 30, unit: "pages" }],
  });
  const [goal] = (await view(host)).goals;
  const noteOf = (user: TestUser) => callAs(user, "POST", "/api/notes", { title: "Mine", goal_id: goal.id });
  expect((await noteOf(admin)).body.goal_id).toBe(goal.id);
  expect((await noteOf(host)).status).toBe(201);
  expect((await noteOf(guest)).body.fields).toEqual({ goal_id: ["We could not find that goal."] });
  for (const user of [host, admin])
    expect((await dataOf(user, `/api/my/goals/${goal.id}/notes`)).notes).toHaveLength(1);

  // The newest log is the guest's.
  for (const user of [admin, guest]) await event(user, "/logs", { task_uuid: goal.uuid, amount: 1 });
  const mine = (await dataOf(admin, "/api/my/logs")).logs[0].id;
  for (const path of [`/my/goals/${goal.id}`, `/my/goals/${goal.id}/logs`]) {
    const page = await visit(admin, path);
    const rows = (await page.texts('main ul[aria-label="Logs"] > li')).length;
    const pencils = (await page.all('main a[href*="?edit="]')).map(({ attributes }) => attributes.href);
    const ofLogs = pencils.filter(
      (href) => href !== `?edit=${goal.id}` && !href?.endsWith(`/${goal.id}?edit=${goal.id}`),
    );
    expect([path, rows, ofLogs.length]).toEqual([path, 2, 1]);
    expect(ofLogs[0]).toContain(`edit=${mine}`);
  }
  const screen = await visit(admin, `/my/goals/${goal.id}/log`);
  const undone = await screen.all('main form[aria-label="Last log"] input[name="log"]');
  expect(undone.map(({ attributes }) => attributes.value)).toEqual([String(mine)]);

  // the goal goes by its host's act, and the admin's note stays.
  const removable = await stageSession({ tasks: [{ title: "Walk" }] });
  const [walk] = (await removable.view()).goals;
  await callAs(removable.admin, "POST", "/api/notes", { title: "Boots", goal_id: walk.id });
  const gone = await callAs(
    removable.host,
    "DELETE",
    `/challenges/${removable.session.slug}/parts/${walk.uuid}/task`,
  );
  expect(gone.status).toBeLessThan(300);
  expect((await dataOf(removable.admin, "/api/my/notes")).notes).toMatchObject([
    { title: "Boots", goal_id: null },
  ]);
  expect(session.id).not.toBe(removable.session.id);
});

test("C-42 W-05 a repeat is answered by its note after the writer's role has gone, and a new note is refused", async () => {
  const { admin, session, view } = await stageSession({ tasks: [{ title: "Read" }] });
  const [goal] = (await view(admin)).goals;
  const { tokens = 0 } = (await reload(admin)) ?? {};
  const uuid = crypto.randomUUID();
  const write = (id: string) =>
    callAs(admin, "POST", "/api/notes", { uuid: id, title: "Page 30", goal_id: goal.id });
  const first = await write(uuid);
  await db
    .update(schema.participants)
    .set({ role: 0 })
    .where(and(eq(schema.participants.sessionId, session.id), eq(schema.participants.userId, admin.id)));
  expect(await write(uuid)).toMatchObject({ status: 201, body: { id: first.body.id, goal_id: goal.id } });
  expect((await write(crypto.randomUUID())).body.fields).toEqual({
    goal_id: ["We could not find that goal."],
  });
  expect((await reload(admin))?.tokens).toBe(tokens - 1);
});

test("C-43 the whole note is sent and answered; missing fields stay; emptying it is refused", async () => {
  const user = await makeUser();
  const { body: note } = await callAs(user, "POST", "/api/notes", { title: "Plan", todo: "A" });
  const changed = await callAs(user, "PATCH", `/api/notes/${note.id}`, { ...note, done: "A", todo: "" });
  expect([changed.status, changed.body]).toEqual([
    200,
    { ...note, done: "A", todo: "", updated_at: expect.any(String) },
  ]);
  expect((await callAs(user, "PATCH", `/api/notes/${note.id}`, { content: "So" })).body).toMatchObject({
    title: "Plan",
    content: "So",
    done: "A",
  });
  const emptied = await callAs(user, "PATCH", `/api/notes/${note.id}`, {
    title: "",
    content: "",
    todo: "",
    done: " ",
  });
  expect(emptied.body.fields).toEqual({ title: [NOTE_EMPTY] });
  const text = { title: "", done: "" };
  expect((await callAs(user, "PATCH", `/api/notes/${note.id}`, text)).body).toMatchObject({ content: "So" });
  expect((await callAs(user, "PATCH", `/api/notes/${note.id}`, { content: "" })).body.fields).toEqual({
    title: [NOTE_EMPTY],
  });
  expect((await reload(user))?.tokens).toBe(999);
});

test("A-10 C-42 C-43 only its author reads and changes a note", async () => {
  const owner = await makeUser();
  const { body: note } = await callAs(owner, "POST", "/api/notes", { title: "Mine" });
  for (const other of [await makeUser(), await makeUser({ roleId: 10 })]) {
    const refused = await callAs(other, "PATCH", `/api/notes/${note.id}`, { title: "Theirs" });
    expect([refused.status, refused.body.error_code]).toEqual([404, "NOT_FOUND"]);
    expect((await dataOf(other, "/api/my/notes")).notes).toEqual([]);
  }
  expect((await dataOf(owner, "/api/my/notes")).notes).toMatchObject([{ title: "Mine" }]);
});

test("U-21 C-29 C-30 a new note is at the top of the user's notes and of its goal's", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { title: "Fiddle" });
  for (const [title, goal_id] of [
    ["first", goal.id],
    ["second", null],
    ["third", goal.id],
  ] as const)
    await callAs(user, "POST", "/api/notes", { title, goal_id });
  const titles = async (path: string) =>
    (await dataOf(user, path)).notes.map((note: { title: string }) => note.title);
  expect(await titles("/api/my/notes")).toEqual(["third", "second", "first"]);
  expect(await titles(`/api/my/goals/${goal.id}/notes`)).toEqual(["third", "first"]);
  const [top] = (await dataOf(user, "/api/my/notes")).notes;
  expect(top).toMatchObject({ goal_id: goal.id, goal: { title: "Fiddle" } });
});

test("C-42 B-12 without a token no note is written", async () => {
  const poor = await makeUser({ tokens: 0 });
  expect((await callAs(poor, "POST", "/api/notes", { title: "x" })).body.error_code).toBe(
    "INSUFFICIENT_TOKENS",
  );
  expect(await db.select().from(schema.notes).where(eq(schema.notes.userId, poor.id))).toEqual([]);
});

test("U-21 ticked lines move to Done and back, from the plan's Markdown too, and a repeat changes nothing", async () => {
  const user = await makeUser();
  const made = await callAs(user, "POST", "/api/notes", {
    content: "First:\n\n- [ ] Pack **all**\n- [x] Book",
    todo: "Boots\n- [ ] Map\nTea",
  });
  const note = String(made.body.id);
  const tick = (from: string, line: string) =>
    post(user, "/my/notes", { intent: "note.tick", note, from, line });
  const texts = async () => {
    const [{ content, todo, done }] = (await dataOf(user, "/api/my/notes")).notes;
    return { content, todo, done };
  };
  await tick("todo", "Boots");
  await tick("todo", "- [ ] Map");
  expect(await texts()).toMatchObject({ todo: "Tea", done: "Boots\n- [x] Map" });
  await tick("todo", "Boots");
  expect(await texts()).toMatchObject({ todo: "Tea", done: "Boots\n- [x] Map" });
  await tick("done", "- [x] Map");
  await tick("plan", "Pack **all**");
  expect(await texts()).toEqual({
    content: "First:\n\n- [x] Book",
    todo: "Tea\n- [ ] Map",
    done: "Boots\nPack **all**",
  });
  const [listed] = (await dataOf(user, "/api/my/notes")).notes;
  expect(listed.content_html).not.toContain("Pack");

  const gone = await tick("todo", "Never");
  expect([gone.status, gone.html]).toEqual([409, expect.stringContaining("This line no longer exists.")]);
  await callAs(user, "PATCH", `/api/notes/${note}`, { done: "x".repeat(19_999) });
  expect((await tick("todo", "Tea")).html).toContain("There is no room left under Done.");
  expect((await texts()).todo).toBe("Tea\n- [ ] Map");
});

test("U-21 the lines of Todo are boxes with Save before any JavaScript, and nobody else ticks them", async () => {
  const user = await makeUser();
  const { body } = await callAs(user, "POST", "/api/notes", { todo: "Boots\n- [ ] Map", done: "Tea" });
  const { html } = await visit(user, "/my/notes");
  expect(html).toMatch(/<input[^>]*type="checkbox"[^>]*name="line"[^>]*value="Boots"/);
  expect(html).toMatch(/value="- \[ \] Map"/);
  expect(html).toMatch(/value="Tea"/);
  expect(html).toMatch(/<button[^>]*type="submit"[^>]*>(<[^>]*>)*Save/);
  const other = await post(await makeUser(), "/my/notes", {
    intent: "note.tick",
    note: String(body.id),
    from: "todo",
    line: "Boots",
  });
  expect(other.status).toBe(404);
  expect((await visit(null, "/my/notes")).html).not.toMatch(/<button[^>]*type="submit"[^>]*>Save/);
});

test("U-21 a note that was saved without JavaScript is ticked line by line", async () => {
  const user = await makeUser();
  // A browser sends the lines of a plain form with carriage returns.
  await post(user, "/my/notes", {
    intent: "note.create",
    content: "- [ ] Pack\r\n- [ ] Walk",
    todo: "Boots\r\nMap",
  });
  const list = async () => (await dataOf(user, "/api/my/notes")).notes[0];
  const note = String((await list()).id);
  for (const [from, line] of [
    ["todo", "Boots"],
    ["plan", "Pack"],
  ] as const)
    expect((await post(user, "/my/notes", { intent: "note.tick", note, from, line })).status).toBe(302);
  expect(await list()).toMatchObject({ content: "- [ ] Walk", todo: "Map", done: "Boots\nPack" });
});

test("R-15 C-42 notes on a goal of an activity outlast the goal and the activity, as the writer's own", async () => {
  const owner = await makeUser();
  const goalsOf = (...titles: string[]) => ({ tasks: titles.map((title) => ({ title, amount: 1 })) });
  const body = { title: "Walks", ...goalsOf("Walk", "Rest") };
  const made = await callAs(owner, "POST", "/challenges", { challenge: body });
  const [walk, rest] = made.body.challenge.tasks as { id: number; uuid: string; title: string }[];
  const kept = await makeGoal(owner);
  for (const goal of [walk, rest, kept])
    expect((await callAs(owner, "POST", "/api/notes", { title: "Map", goal_id: goal?.id })).status).toBe(201);
  const tied = async () =>
    (await dataOf(owner, "/api/my/notes")).notes
      .map(({ goal_id }: { goal_id: number | null }) => goal_id)
      .reverse();
  expect(await tied()).toEqual([walk?.id, rest?.id, kept.id]);
  const { slug } = made.body.challenge;
  const change = { challenge: { tasks: [{ uuid: rest?.uuid, title: "Rest", amount: 1 }] } };
  expect((await callAs(owner, "PATCH", `/challenges/${slug}/patch`, change)).status).toBe(200);
  expect(await tied()).toEqual([null, rest?.id, kept.id]);
  expect((await callAs(owner, "DELETE", `/challenges/${slug}`)).status).toBe(204);
  expect(await tied()).toEqual([null, null, kept.id]);
});
