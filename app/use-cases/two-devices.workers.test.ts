// Two devices that edit the same thing: neither undoes the other unseen.
import { expect, test, vi } from "vitest";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { makeUser, type TestUser } from "#tests/support/factories";
import { openPage, post as postForm } from "#tests/support/forms";
import { goalNow, makeGoal } from "#tests/support/goals";
import { makeSession, stageSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { MINUTE } from "~/domain/time";

const tick = (user: TestUser, body: object) =>
  callAs(user, "POST", "/challenge-events/logs/save-task-list-progress", body);
const items = ["a", "b", "c"].map((uuid) => ({ uuid, title: uuid, link: "", isChecked: false }));
const ticked = ({ body }: { body: { goal: { items: { uuid: string; x: number }[] } } }) =>
  body.goal.items.flatMap(({ uuid, x }) => (x === 1 ? uuid : [])).join("");
const linesOf = async (id: number) =>
  (await goalNow(id)).items.map(({ title, isChecked }) => `${title} ${isChecked}`);

keepBystanders();

test("R-69 with base the server applies the difference, so that two devices keep each other's ticks", async () => {
  const user = await makeUser();
  const goal_id = (await makeGoal(user, { items, isList: true })).id;
  expect(ticked(await tick(user, { goal_id, items: ["a"], base: [] }))).toBe("a");
  expect(ticked(await tick(user, { goal_id, items: ["b"], base: [] }))).toBe("ab");
  expect(ticked(await tick(user, { goal_id, items: ["b", "c"], base: ["a", "b"] }))).toBe("bc");
  expect(ticked(await tick(user, { goal_id, items: ["b", "c"], base: ["a", "b"] }))).toBe("bc");
  expect(ticked(await tick(user, { goal_id, items: ["a"] }))).toBe("a");
});

test("R-69 ticks in a session apply the difference too", async () => {
  const { guest, view, session } = await stageSession({
    tasks: [{ title: "Pack", is_list: 1, items: items.map(({ uuid, title }) => ({ uuid, title })) }],
  });
  const [goal] = (await view(guest)).goals;
  const both = { goal_id: goal.id, challenge_event_id: session.id, base: [] };
  expect(ticked(await tick(guest, { ...both, items: ["a"] }))).toBe("a");
  expect(ticked(await tick(guest, { ...both, items: ["b"] }))).toBe("ab");
  expect(ticked(await tick(guest, { ...both, items: [], base: ["a"] }))).toBe("b");
});

test("R-69 a checklist saved without JavaScript keeps the ticks of another device", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { items, isList: true });
  const base = async () =>
    (await (await visit(user, `/my/goals/${goal.id}`)).all('input[name="base"]')).map(
      ({ attributes }) => attributes.value,
    );
  expect(await base()).toEqual([]);
  await tick(user, { goal_id: goal.id, items: ["a"] });
  expect(await base()).toEqual(["a"]);
  await post(user, `/my/goals/${goal.id}`, { intent: "list.tick", goal: `${goal.id}`, ticked: "b" });
  const later = await visit(user, `/my/goals/${goal.id}`);
  expect(await later.all('input[name="ticked"][checked]')).toHaveLength(2);
});

test("C-33 R-69 a goal's form keeps a tick that came after it was opened, and the ticks of moved lines", async () => {
  const user = await makeUser();
  const { id } = await makeGoal(user, { items, isList: true });
  const path = `/my/goals/${id}?edit=${id}`;
  const form = (await openPage(user, path)).forms.find(({ fields }) =>
    fields.some(({ value }) => value === "goal.update"),
  );
  if (!form) throw new Error("no form");
  await tick(user, { goal_id: id, items: ["a", "c"] });
  // The first two lines change places, and a line is new.
  const changes = {
    title: "Other title",
    "items[0].uuid": "b",
    "items[0].title": "b",
    "items[1].uuid": "a",
    "items[1].title": "a",
    "items[3].title": "d",
  };
  expect((await postForm(user, path, form, changes)).status).toBe(302);
  expect(await linesOf(id)).toEqual(["b false", "a true", "c true", "d false"]);
});

test("C-33 an item of a call sets its tick only if it names it", async () => {
  const user = await makeUser();
  const { id } = await makeGoal(user, { items, isList: true });
  await tick(user, { goal_id: id, items: ["a", "b"] });
  const sent = [
    { uuid: "a", title: "a" },
    { uuid: "b", title: "b", x: 0 },
    { uuid: "c", title: "c", x: 1 },
    { uuid: "d", title: "d" },
  ];
  const { body } = await callAs(user, "PATCH", `/api/goals/update/${id}`, { items: sent });
  expect(ticked({ body })).toBe("ac");
  expect(await linesOf(id)).toEqual(["a true", "b false", "c true", "d false"]);
});

test("R-69 a goal saved over a newer save is CONFLICT with its version and texts, and the newest wins without updated_at", async () => {
  const user = await makeUser();
  const { id } = await makeGoal(user, { title: "Old" });
  const save = (goal: object) => callAs(user, "PATCH", `/api/goals/update/${id}`, goal);
  const began = (await save({ title: "Began" })).body.goal.updated_at;
  const newer = await save({ title: "Phone", updated_at: began });
  expect(newer.status).toBe(200);
  const late = await save({ title: "Laptop", updated_at: began });
  expect([late.status, late.body.error_code]).toEqual([409, "CONFLICT"]);
  expect(late.body.newer).toEqual({
    updatedAt: Date.parse(newer.body.goal.updated_at),
    texts: [{ label: "Title", text: "Phone" }],
  });
  // A repeat of a save that has arrived, and one without a version.
  expect((await save({ title: "Phone", updated_at: began })).status).toBe(200);
  expect((await save({ title: "Last" })).body.goal.title).toBe("Last");
});

test("R-69 a note saved over a newer save keeps both texts on the form without JavaScript, and the next save replaces", async () => {
  const user = await makeUser();
  const { body: note } = await callAs(user, "POST", "/api/notes", { title: "Colours", todo: "Buy green" });
  const since = String(Date.parse(note.updated_at));
  const path = "/my/notes";
  const save = (todo: string, from: string) =>
    post(user, `${path}?edit=${note.id}`, {
      intent: "note.update",
      note: `${note.id}`,
      title: "Colours",
      todo,
      since: from,
    });
  expect((await save("Buy blue", since)).status).toBe(302);
  const refused = await save("Buy red", since);
  expect(refused.status).toBe(409);
  expect(refused.html).toContain("Buy blue");
  expect(await refused.texts("textarea")).toContain("Buy red");
  const [hidden] = await refused.all('input[name="since"]');
  const version = hidden?.attributes.value ?? "";
  expect(Number(version)).toBeGreaterThan(Number(since));
  expect((await save("Buy red", version)).status).toBe(302);
  expect((await visit(user, path)).html).toContain("Buy red");
});

test("R-69 a session's plan saved over a newer one before the run is CONFLICT, by patch and by parts", async () => {
  const host = await makeUser();
  const { id } = await makeSession(host, { title: "Evening", content: "Once" });
  const patch = (challenge: object) => callAs(host, "PATCH", `/challenge-events/${id}/patch`, { challenge });
  const began = (await patch({ content: "Twice" })).body.challenge_event.updated_at;
  expect((await patch({ content: "Phone", updated_at: began })).status).toBe(200);
  const late = await patch({ content: "Laptop", updated_at: began });
  expect([late.status, late.body.newer.texts]).toEqual([409, [{ label: "Text", text: "Phone" }]]);
  const parts = [{ uuid: "g", parts: [{ uuid: "p", title: "Read", duration: 600 }] }];
  const saved = await callAs(host, "POST", `/challenge-events/${id}/parts`, {
    challenge: { parts, updated_at: began },
  });
  expect(saved.body.error_code).toBe("CONFLICT");
  expect((await patch({ content: "Last" })).status).toBe(200);
});

test("R-69 the timers of a running session are not replaced unseen, and the clock alone is no newer save", async () => {
  const { host, admin, event, view } = await stageSession();
  expect((await event(host, "/start")).status).toBe(200);
  const began = new Date().toISOString();
  const save = (user: TestUser, title: string, updated_at?: string) =>
    event(user, "/parts", {
      challenge: {
        parts: [
          {
            uuid: "g",
            auto_start: 0,
            parts: [
              { uuid: "a", title, duration: 300 },
              { uuid: "b", title: "B", duration: 300 },
            ],
          },
        ],
        updated_at,
      },
    });
  vi.setSystemTime(Date.now() + 2 * MINUTE);
  expect((await event(host, "/parts/a/start")).status).toBe(200);
  expect((await save(admin, "Of the admin", began)).status).toBe(200);
  const late = await save(host, "Of the host", began);
  expect([late.status, late.body.error_code]).toEqual([409, "CONFLICT"]);
  // A repeat changes nothing, and an edit that begins from the present version is saved.
  expect((await save(admin, "Of the admin", began)).status).toBe(200);
  vi.setSystemTime(Date.now() + 2 * MINUTE);
  const { updated_at } = (await view(host)).session;
  expect(await save(host, "Of the host", updated_at)).toMatchObject({ status: 200 });
  expect((await save(admin, "Of the admin")).status).toBe(200);
});

test("R-69 the text of a running session is not replaced unseen, and other fields are saved beside it", async () => {
  const { host, admin, session, event } = await stageSession();
  expect((await event(host, "/start")).status).toBe(200);
  // Its first part lets admins write.
  expect((await event(host, "/parts/a/start")).status).toBe(200);
  const began = new Date().toISOString();
  const save = (user: TestUser, challenge: object) =>
    callAs(user, "PATCH", `/challenge-events/${session.id}/patch`, {
      challenge: { ...challenge, updated_at: began },
    });
  vi.setSystemTime(Date.now() + MINUTE);
  expect((await save(admin, { content: "Of the admin" })).status).toBe(200);
  const late = await save(host, { content: "Of the host" });
  expect([late.status, late.body.newer?.texts]).toEqual([409, [{ label: "Text", text: "Of the admin" }]]);
  expect((await save(host, { title: "Evening pages" })).status).toBe(200);
});

test("R-69 of two saves of a running session at the same time exactly one wins, and the other answers the winner's text", async () => {
  const own = await stageSession();
  const bystander = await stageSession();
  for (const { event, host } of [own, bystander]) {
    expect((await event(host, "/start")).status).toBe(200);
    // Its first part lets admins write.
    expect((await event(host, "/parts/a/start")).status).toBe(200);
  }
  const { host, admin, session } = own;
  const shown = async () => {
    const { updated_at: _, ...rest } = (await bystander.view(bystander.host)).session;
    return rest;
  };
  const before = await shown();
  const parts = (title: string) => [
    {
      uuid: "g",
      auto_start: 0,
      parts: ["a", "b"].map((uuid) => ({ uuid, title: `${title} ${uuid}`, duration: 300 })),
    },
  ];
  const save = (user: TestUser, challenge: object) =>
    callAs(user, "PATCH", `/challenge-events/${session.id}/patch`, { challenge });
  let { updated_at } = (await save(host, { content: "Begun" })).body.challenge_event;
  for (let round = 0; round < 20; round++) {
    const typed = (name: string) =>
      [{ content: `${name} ${round}` }, { parts: parts(`${name} ${round}`) }][round % 2] ?? {};
    const both = await Promise.all([
      save(host, { ...typed("Host"), updated_at }),
      save(admin, { ...typed("Admin"), updated_at }),
    ]);
    expect([round, ...both.map(({ status }) => status).toSorted()]).toEqual([round, 200, 409]);
    const [won, lost] = both.toSorted((a, b) => a.status - b.status);
    const { content, updated_at: version } = won?.body.challenge_event ?? {};
    expect(lost?.body.error_code).toBe("CONFLICT");
    expect(lost?.body.newer).toEqual({
      updatedAt: Date.parse(version),
      texts: round % 2 === 0 ? [{ label: "Text", text: content }] : [],
    });
    updated_at = version;
  }
  expect(await shown()).toEqual(before);
});

test("R-69 a save of a running session is kept or refused as a whole, with its limit, and the limit has a version too", async () => {
  const { host, session, event, view } = await stageSession();
  expect((await event(host, "/start")).status).toBe(200);
  const save = (user: TestUser, challenge: object) =>
    callAs(user, "PATCH", `/challenge-events/${session.id}/patch`, { challenge });
  const limit = async () => (await view(host)).session.participant_limit;
  const began = (await save(host, { content: "Begun" })).body.challenge_event.updated_at;
  expect((await save(host, { content: "Phone", updated_at: began })).status).toBe(200);
  const late = await save(host, { content: "Laptop", participant_limit: 9, updated_at: began });
  expect([late.status, late.body.newer.texts]).toEqual([409, [{ label: "Text", text: "Phone" }]]);
  expect(await limit()).not.toBe(9);
  const updated_at = new Date(late.body.newer.updatedAt).toISOString();
  const both = await Promise.all(
    [7, 8].map((participant_limit) => save(host, { participant_limit, updated_at })),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const won = both.findIndex(({ status }) => status === 200);
  expect(await limit()).toBe([7, 8][won]);
  expect((await save(host, { participant_limit: [7, 8][won], updated_at: began })).status).toBe(200);
});

test("R-69 parts that two devices add to a running session at the same time are all kept", async () => {
  const { host, admin, event, challenge, view } = await stageSession();
  expect((await event(host, "/start")).status).toBe(200);
  const uuids = Array.from({ length: 6 }, (_, n) => `new-${n}`);
  const added = await Promise.all(
    uuids.map((uuid, n) =>
      challenge(n % 2 === 0 ? host : admin, "POST", "/parts", { uuid, title: uuid, duration: 60 }),
    ),
  );
  expect(added.map(({ status }) => status)).toEqual(uuids.map(() => 201));
  const shown = JSON.stringify((await view(host)).session.parts);
  expect(uuids.filter((uuid) => !shown.includes(`"${uuid}"`))).toEqual([]);
});

test("R-69 C-71 every field of a running or ended session is changed again with the version of the answer or of the page before", async () => {
  const { host, session, event, view } = await stageSession();
  const save = (challenge: object) =>
    callAs(host, "PATCH", `/challenge-events/${session.id}/patch`, { challenge });
  const sequences = [
    { participant_limit: 20 },
    { participant_limit: 21 },
    { participant_limit: 22, content: "Beside a limit" },
    ...["Easy", "Hard"].map((join_code) => ({ join_code })),
    ...[5, 15].map((slow_mode) => ({ slow_mode })),
    ...[3, 4].map((difficulty) => ({ difficulty })),
    ...["https://meet.example/a", "https://meet.example/b"].map((meeting_link) => ({ meeting_link })),
  ];
  const shown = async () => (await view(host)).session.updated_at;
  expect((await event(host, "/start")).status).toBe(200);
  for (const isEnded of [false, true]) {
    if (isEnded) expect((await event(host, "/end")).status).toBe(200);
    let updated_at = await shown();
    for (const change of sequences.filter((one) => !isEnded || !("content" in one))) {
      const answer = await save({ ...change, updated_at });
      expect([isEnded, change, answer.status]).toEqual([isEnded, change, 200]);
      ({ updated_at } = answer.body.challenge_event);
      expect(await shown()).toBe(updated_at);
    }
    for (const participant_limit of [23, 24, 20])
      expect((await save({ participant_limit, updated_at: await shown() })).status).toBe(200);
    for (const change of [{ slow_mode: 0 }, { difficulty: 6 }, { join_code: "" }, { meeting_link: "" }])
      expect((await save({ ...change, updated_at: await shown() })).status).toBe(200);
  }
});

test("R-69 of two devices that change the limit of a running session at once exactly one wins, each round, and the refusal names the field", async () => {
  const { host, session, event, view } = await stageSession();
  expect((await event(host, "/start")).status).toBe(200);
  const save = (challenge: object) =>
    callAs(host, "PATCH", `/challenge-events/${session.id}/patch`, { challenge });
  let { updated_at } = (await view(host)).session;
  for (let round = 0; round < 5; round++) {
    const limits = [20 + 2 * round, 21 + 2 * round];
    const both = await Promise.all([
      save({ participant_limit: limits[0], updated_at }),
      save({ participant_limit: limits[1], content: `Text ${round}`, updated_at }),
    ]);
    expect([round, ...both.map(({ status }) => status).toSorted()]).toEqual([round, 200, 409]);
    const won = both.findIndex(({ status }) => status === 200);
    const refused = both[1 - won]?.body;
    expect(Object.keys(refused.fields)).toEqual(["participant_limit"]);
    expect(refused.errors).toEqual([refused.message]);
    expect((await view(host)).session.participant_limit).toBe(limits[won]);
    updated_at = both[won]?.body.challenge_event.updated_at;
    expect(Date.parse(updated_at)).toBe(refused.newer.updatedAt);
  }
});

test("R-69 C-77 an admin's version of 2099 raises no version, so the host's next saves of a running session are made", async () => {
  const { host, admin, session, event, view } = await stageSession();
  expect((await event(host, "/start")).status).toBe(200);
  const parts = (title: string) => [
    { uuid: "g", auto_start: 0, parts: ["a", "b"].map((uuid) => ({ uuid, title, duration: 300 })) },
  ];
  const save = (user: TestUser, challenge: object) =>
    callAs(user, "PATCH", `/challenge-events/${session.id}/patch`, { challenge });
  const updated_at = "2099-12-31T23:59:59.999Z";
  await event(admin, "/parts", { challenge: { parts: parts("Of the admin"), updated_at } });
  await save(admin, { slow_mode: 60, updated_at });
  const version = Date.parse((await view(host)).session.updated_at);
  expect(version).toBeLessThan(Date.now() + MINUTE);
  let since = new Date(version).toISOString();
  for (const change of [{ parts: parts("Of the host") }, { slow_mode: 5 }, { content: "Of the host" }]) {
    const answer = await save(host, { ...change, updated_at: since });
    expect([change, answer.status]).toEqual([change, 200]);
    since = answer.body.challenge_event.updated_at;
    expect(Date.parse(since)).toBeLessThan(Date.now() + MINUTE);
  }
});

test("C-71 C-77 R-69 goals sent with a session do not replace goals that were added or changed since", async () => {
  const { host, admin, session, view } = await stageSession({
    tasks: [{ title: "Read" }, { title: "Write" }],
  });
  const before = (await view(host)).session;
  const uuid = crypto.randomUUID();
  const tasksNow = async () => (await view(host)).goals.map(({ title }: { title: string }) => title);
  const [read, write] = (await view(host)).goals;
  const save = (updated_at: string, tasks: object[]) =>
    callAs(host, "PATCH", `/challenge-events/${session.id}/patch`, { challenge: { tasks, updated_at } });
  vi.setSystemTime(Date.now() + MINUTE);
  const add = await callAs(admin, "POST", `/challenges/${session.slug}/parts`, {
    part: { type: "task", uuid, title: "Draw" },
  });
  expect(add.status, JSON.stringify(add.body)).toBeLessThan(300);
  const known = [read, write].map(({ uuid, title }: { uuid: string; title: string }) => ({ uuid, title }));
  const removing = await save(before.updated_at, known);
  expect(removing).toMatchObject({ status: 409, body: { error_code: "CONFLICT" } });
  expect(Object.keys(removing.body.fields)).toEqual(["tasks"]);
  expect(removing.body.newer.texts).toEqual([{ label: "Goal", text: "Draw" }]);
  const renamed = { type: "task", title: "Write twice" };
  const rename = await callAs(admin, "PATCH", `/challenges/${session.slug}/parts/${write.uuid}`, renamed);
  expect(rename.status, JSON.stringify(rename.body)).toBe(200);
  expect((await save(before.updated_at, [...known, { uuid, title: "Draw" }])).body.newer.texts).toEqual([
    { label: "Title", text: "Write twice" },
  ]);
  expect(await tasksNow()).toEqual(["Read", "Write twice", "Draw"]);
  // The list begins from the newer goals and replaces them; a repeat changes nothing.
  const newest = (await save(before.updated_at, known)).body.newer.updated_at;
  for (const _ of [1, 2]) expect((await save(newest, [...known, { title: "Sing" }])).status).toBe(200);
  expect(await tasksNow()).toEqual(["Read", "Write", "Sing"]);
});
