// The pages of a session, as rendered by the server: each tab before, during and after the run, and redirects of old
// URLs.
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { callAs, dataOf } from "#tests/support/ask";
import { appOf, makeUser, type TestUser } from "#tests/support/factories";
import { openPage, post as postForm, standsIn } from "#tests/support/forms";
import {
  join,
  makeActivity,
  makeHut,
  makeSession,
  sayIn,
  sessionNow,
  setSession,
  stageSession,
} from "#tests/support/sessions";
import { post, type Visited, visit } from "#tests/support/visit";
import { sessionFull } from "~/domain/sessions/refusals";
import { HOUR, MINUTE } from "~/domain/time";

const PARTS = [
  { title: "Warm up", linked: 1, parts: [{ title: "Stretch", duration: 120 }] },
  { title: "Main", linked: 1, parts: [{ title: "Write", duration: 300 }] },
];
test("R-14 old URLs of a session and of huts redirect to the present ones, with their query", async () => {
  const host = await makeUser();
  const { id } = await makeSession(host);
  for (const tab of ["", "/goals", "/member-goals", "/logs", "/hut", "/chat"]) {
    const { status, location } = await visit(null, `/events/${id}${tab}?page=2&q=a+b`);
    expect([status, location]).toEqual([301, `/sessions/${id}${tab}?page=2&q=a+b`]);
  }
  expect((await visit(null, `/events/${id}/nothing`)).status).toBe(404);
  const { id: hutId, slug } = await makeHut(host);
  expect(await visit(null, `/h/${slug}?page=3`)).toMatchObject({
    status: 301,
    location: `/group/${slug}?page=3`,
  });
  const huts = await visit(null, "/huts");
  expect((await huts.all('link[rel="canonical"]'))[0]?.attributes.href).toMatch(/\/groups$/);
  await makeActivity(host, { hutId: (await makeHut(host)).id });
  const mine = await makeActivity(host, { hutId });
  const { challenges } = await dataOf(null, `/api/hut/${slug}/activities`);
  expect(challenges.map((one: { slug: string }) => one.slug)).toEqual([mine.slug]);
  expect((await visit(host, "/me")).status).toBe(200);
});

test("R-14 /sessions redirects to the list of sessions, with its query", async () => {
  expect(await visit(null, "/sessions?q=a+b&page=2")).toMatchObject({
    status: 301,
    location: "/events?q=a+b&page=2",
  });
});

test("P-32 P-35 the tabs of a session: Details, Goals with its three, Forum, Chat", async () => {
  const host = await makeUser();
  const { path } = await makeSession(host);
  const goals = await visit(host, `${path}/goals`);
  expect(await goals.links('nav[aria-label="Session"]')).toEqual({
    Details: path,
    Goals: `${path}/goals`,
    Forum: `${path}/hut`,
    Chat: `${path}/chat`,
  });
  expect(await goals.links('nav[aria-label="Goals"]')).toEqual({
    "My Goals": `${path}/goals`,
    "Member Goals": `${path}/member-goals`,
    Logs: `${path}/logs`,
  });
  const forum = await visit(host, `${path}/hut`);
  expect((await forum.all('nav[aria-label="Session"] a[aria-current]')).map(({ text }) => text)).toEqual([
    "Forum",
  ]);
});

test("U-45 P5 Details carry the roster and the newest chat lines, only for participants", async () => {
  const { host, guest, session, event } = await stageSession();
  await event(host, "/start");
  for (const content of Array.from({ length: 22 }, (_, n) => `Line ${n + 1} of the chat`))
    await sayIn(host, session.id, content);
  const inside = await visit(guest, session.path);
  const [chat] = await inside.all('[role="log"]');
  expect(chat?.text).toContain("Line 22 of the chat");
  expect(chat?.text).not.toContain("Line 2 of the chat");
  expect((await inside.all('aside[aria-label="People"] ul li')).length).toBeGreaterThanOrEqual(3);
  expect((await visit(await makeUser(), session.path)).html).not.toContain("of the chat");
});

test("U-39 the end of a session has its date from twelve hours on", async () => {
  const host = await makeUser();
  const ends = async (duration: number) => {
    const started_at = "2031-05-01T22:50:00Z";
    const { path } = await makeSession(host, { is_manually_started: 0, started_at, duration });
    const [, end] = await (await visit(host, path)).texts("main details summary time");
    return end;
  };
  expect(await ends(12 * 3600 - 60)).not.toContain("2031");
  expect(await ends(12 * 3600)).toContain("2031");
});

test("U-39 U-40 U-41 M-30 Details before, during and after the run", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const startsAt = new Date(Date.now() + HOUR).toISOString();
  const { id, path } = await makeSession(host, {
    is_manually_started: 0,
    started_at: startsAt,
    participant_limit: 4,
    donation_link: "https://example.com/thanks",
    parts: PARTS,
  });
  await join(guest, id);

  const before = await visit(host, path);
  const words = async (page: typeof before) => (await page.texts("main")).join(" ");
  expect(await words(before)).toContain("(Awaiting Participants)");
  expect(await words(before)).toContain("Starts in");
  expect(await words(before)).toContain("2 participants, 2 of 4 spots left");
  expect(await before.texts("main details summary")).toContainEqual(expect.stringContaining("Total time"));
  expect(await before.texts("main button")).toContain("Start Session");
  const thanks = "Thank the Host (Donate)";
  expect((await (await visit(guest, path)).links())[thanks]).toBe("https://example.com/thanks");
  // Nobody thanks themselves.
  expect(await before.links()).not.toHaveProperty([thanks]);
  for (const part of ["Stretch", "Write"]) expect(await words(before)).toContain(part);
  expect(await words(before)).toContain("No one has logged any goal progress in this session.");
  const people = await before.texts('aside[aria-label="People"] li');
  expect(people[0]).toMatch(new RegExp(`${host.username}.*Session builder`));
  expect(people[1]).toContain(guest.username);
  expect(people[1]).not.toContain("Session builder");
  // free places are a number.
  expect(people).toHaveLength(2);
  expect((await before.texts('aside[aria-label="People"]')).join()).toContain("2 places are free.");
  expect(await before.texts('[title="Session builder"]')).toHaveLength(1);
  const template = await makeSession(await makeUser({ roleId: 10 }), { is_preset: 1 });
  expect(await (await visit(guest, template.path)).links()).toMatchObject({
    "Create Challenge": `/challenges/create?template=${template.slug}`,
  });
  const stranger = await visit(await makeUser(), path);
  expect(await stranger.texts("main button")).toContain("Join");
  expect(await stranger.texts("main button")).not.toContain("Start Session");

  expect((await callAs(host, "POST", `/challenge-events/${id}/start`, {})).status).toBe(200);
  const running = await visit(guest, path);
  expect(await words(running)).toContain("(In Progress)");
  expect(await words(running)).toContain("Ends in");
  expect(await running.texts("main button")).not.toContain("Join");

  vi.setSystemTime(Date.now() + MINUTE);
  expect((await callAs(host, "POST", `/challenge-events/${id}/end`, {})).status).toBe(200);
  const over = await visit(guest, path);
  expect(await words(over)).toContain("(Ended)");
  expect(await words(over)).toContain("This session has ended.");
  expect(await words(over)).not.toMatch(/Starts in|Ends in/);
  expect(await (await visit(null, path)).texts("main a")).not.toContain("Join");
});

test("U-40 the status dot is blue while waiting, green while running, red when over", async () => {
  const host = await makeUser();
  const { id, path } = await makeSession(host, { parts: PARTS });
  const dot = async () => {
    const dots = await (await visit(null, path)).all("main span.font-semibold");
    const [, look] =
      /(text-dusk|text-pine|text-red)/.exec(
        dots.find(({ text }) => text.startsWith("("))?.attributes.class ?? "",
      ) ?? [];
    return look;
  };
  expect(await dot()).toBe("text-dusk");
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  expect(await dot()).toBe("text-pine");
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  expect(await dot()).toBe("text-red");
});

test("M-29 a full session shows a message in place of Join", async () => {
  const host = await makeUser();
  const { path } = await makeSession(host, { participant_limit: 1 });
  const page = await visit(await makeUser(), path);
  expect((await page.texts("main")).join()).toContain(
    "This session is full and is not accepting additional participants.",
  );
  expect(await page.texts("main button")).not.toContain("Join");
});

test("M-39 M-40 a session without participants or logs shows a message", async () => {
  const host = await makeUser();
  const { id, path } = await makeSession(host);
  expect((await (await visit(host, `${path}/logs`)).texts("main")).join()).toContain(
    "No one has logged any goal progress in this session.",
  );
  await env.DB.prepare("DELETE FROM participants WHERE session_id = ?").bind(id).run();
  await (await appOf(host)).rooms.of(id).refresh();
  expect((await (await visit(null, path)).texts("main")).join()).toContain(
    "No one has joined this session yet.",
  );
});

test("U-45 the chat exists only during the run, otherwise its sentence", async () => {
  const host = await makeUser();
  const { id, path } = await makeSession(host, { parts: PARTS });
  const SENTENCE = "Chat is active when the session is in progress.";
  const chat = async (user: TestUser | null) => {
    const page = await visit(user, `${path}/chat`);
    return { words: (await page.texts("main")).join(), form: (await page.all("main textarea")).length };
  };
  expect((await chat(host)).words).toContain(SENTENCE);
  expect((await chat(host)).form).toBe(0);
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  expect((await chat(host)).words).not.toContain(SENTENCE);
  expect((await chat(host)).form).toBe(1);
  expect((await chat(null)).form).toBe(0);
  expect((await post(host, `${path}/chat`, { intent: "say", content: "Hello all" })).status).toBeLessThan(
    400,
  );
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  const after = await chat(host);
  expect(after.words).toContain(SENTENCE);
  expect(after.words).toContain("Hello all");
  expect(after.form).toBe(0);
});

test("M-24 M-25 M-26 starting and being ready show a message, and a failed start each of its reasons", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const { id, path } = await makeSession(host, { parts: PARTS });
  await join(guest, id);
  const toast = async (user: TestUser, form: Record<string, string>) => {
    const { headers } = await post(user, path, form);
    return decodeURIComponent(headers.get("Set-Cookie") ?? "");
  };
  expect(await toast(guest, { intent: "ready", isReady: "1" })).toContain("You are ready for this activity!");
  const refused = await post(guest, path, { intent: "start" });
  expect(refused.status).toBe(403);
  expect((await refused.texts("main")).join()).toContain("Only the host and admins may start a session.");
  const call = await callAs(guest, "POST", `/challenge-events/${id}/start`, {});
  expect(call.body.errors).toEqual(["Only the host and admins may start a session."]);
  expect(await toast(host, { intent: "start" })).toContain("The session has started!");
  const again = await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  expect(again.status).toBe(409);
  expect(again.body.errors).toEqual(["The session has started already."]);
});

const told = ({ headers }: { headers: Headers }) => decodeURIComponent(headers.get("Set-Cookie") ?? "");

test("R-01 R-75 C-35 C-79 M-18 without JavaScript a session's goal is logged manually and copied, and a refusal is shown", async () => {
  const { host, guest, session, view } = await stageSession();
  const task = { type: "task", uuid: `read-${session.id}`, title: "Read", unit: "pages" };
  await callAs(host, "POST", `/challenges/${session.slug}/parts`, task);
  const part = task.uuid;
  const path = `${session.path}/goals`;
  const links = await (await visit(guest, path)).links();
  expect(links["Log by hand"]).toBe(`${path}?log=${part}`);
  const log = { intent: "task.log", part, title: "To the end", amount: "12", duration: "20m" };
  const done = await post(guest, `${path}?log=${part}`, log);
  expect([done.status, done.location]).toEqual([302, path]);
  expect(told(done)).toContain("+12 pages · 20m");
  const { logs } = await view(host, "/logs");
  const undo = '[aria-label="Undo the log"] [name="log"]';
  expect(await (await visit(guest, path, done)).allWithoutScripts(undo)).toMatchObject([
    { attributes: { value: String(logs[0].id) } },
  ]);
  expect(logs).toMatchObject([
    { username: guest.username, title: "To the end", amount: 12, duration: 1200, task_uuid: part },
  ]);
  expect((await post(await makeUser(), `${path}?log=${part}`, log)).status).toBe(403);

  const copied = await post(guest, path, { intent: "task.copy", part });
  expect([copied.status, copied.location]).toEqual([302, path]);
  expect(told(copied)).toContain("Goal copied successfully!");
  expect(await (await visit(guest, "/my/goals")).texts("main h2")).toContain("Read");
  const poor = await makeUser({ tokens: 0 });
  const refused = await post(poor, path, { intent: "task.copy", part });
  expect(refused.status).toBe(402);
  const says = async (page: Visited) =>
    (await page.allWithoutScripts("main > .page-refusal")).map(({ text }) => text).join();
  expect(await says(refused)).toMatch(/tokens/);

  await callAs(host, "POST", `/challenge-events/${session.id}/end`, {});
  const late = await post(guest, `${path}?log=${part}`, log);
  expect(late.status).toBe(409);
  expect(await says(late)).toContain("This session has ended.");
});

test("U-09 S-03 without JavaScript a session is joined with its code, after a wrong one, and a post is written", async () => {
  const host = await makeUser();
  const guest = await makeUser();
  const { path } = await makeSession(host, { join_code: "two stones" });
  const formWith = async (at: string, intent: string) => {
    const found = (await openPage(guest, at)).forms.find((form) => standsIn(form, "intent") === intent);
    if (!found) throw new Error(`no form ${intent} on ${at}`);
    return found;
  };
  const wrong = await postForm(guest, path, await formWith(path, "join"), { joinCode: "one stone" });
  expect([wrong.status, [...wrong.texts.values()].join()]).toEqual([403, expect.stringMatching(/code/)]);
  const right = await postForm(guest, path, await formWith(path, "join"), { joinCode: "two stones" });
  expect([right.status, right.location]).toEqual([302, path]);
  expect(await (await visit(guest, path)).texts("main button")).toContain("Leave");
  const forum = `${path}/hut`;
  await postForm(guest, forum, await formWith(forum, "post"), { content: "Hello from the path" });
  expect((await (await visit(host, forum)).texts("article")).join()).toContain("Hello from the path");
});

test("P-27 A-06 the form of an ended session has only accepted fields: no texts except for a super admin, and no timers", async () => {
  const { host, session } = await stageSession({ content: "Begin here.\n\nThen on." });
  await callAs(host, "POST", `/challenge-events/${session.id}/start`, {});
  await callAs(host, "POST", `/challenge-events/${session.id}/end`, {});
  const path = `/events/${session.id}/update`;
  const offered = async (user: TestUser) => {
    const page = await visit(user, path);
    const fields = ["title", "content", "prompt", "schedule", "hutId", "difficulty", "withoutTexts"];
    const shown = await Promise.all(
      fields.map(async (name) => (await page.all(`main [name="${name}"]`)).length > 0),
    );
    return fields.filter((_, i) => shown[i]);
  };
  expect(await offered(host)).toEqual(["hutId", "difficulty", "withoutTexts"]);
  const admin = await makeUser({ roleId: 10 });
  expect(await offered(admin)).toEqual(["title", "content", "prompt", "hutId", "difficulty"]);
  const saved = await post(host, path, { withoutTexts: "on", difficulty: "6", category: "" });
  expect([saved.status, saved.location]).toEqual([302, session.path]);
  expect(await sessionNow(session.id)).toMatchObject({
    difficulty: 6,
    title: "Morning pages",
    content: "Begin here.\n\nThen on.",
  });
});

test("C-68 C-69 A-06 A-08 without JavaScript forms change the texts of a session, each for those who may", async () => {
  const { host, guest, session, event, view } = await stageSession({ prompt: "Where?" });
  expect((await (await visit(host, session.path)).links()).Edit).toBe(`${session.path}?edit=texts`);
  expect((await (await visit(guest, session.path)).links()).Edit).toBeUndefined();
  const said = {
    intent: "texts.save",
    hasContent: "1",
    hasPrompt: "1",
    title: "Anew",
    content: "**So**",
    prompt: "",
  };
  const saved = await post(host, `${session.path}?edit=texts`, said);
  expect([saved.status, saved.location]).toEqual([302, session.path]);
  expect(told(saved)).toContain("Success!");
  const shown = async () => (await view(host)).session;
  expect(await shown()).toMatchObject({ title: "Anew", content: "**So**", prompt: "" });
  expect((await post(guest, session.path, said)).status).toBe(403);
  // A field that the form does not contain stays.
  await post(host, session.path, { intent: "texts.save", hasPrompt: "1", prompt: "What now?" });
  expect(await shown()).toMatchObject({ title: "Anew", content: "**So**", prompt: "What now?" });

  const give = () => post(guest, session.path, { intent: "texts.contribute", contribution: "And *more*." });
  await event(host, "/start");
  await event(host, "/parts/a/start");
  expect(await (await visit(guest, session.path)).all('textarea[name="contribution"]')).toHaveLength(1);
  const given = await give();
  expect([given.status, given.location]).toEqual([302, session.path]);
  expect((await shown()).content).toBe("**So**\n\nAnd *more*.");
  await event(host, "/parts/b/start");
  expect(await (await visit(guest, session.path)).all('textarea[name="contribution"]')).toHaveLength(0);
  // The edit is too late, and the form keeps the typed text.
  const late = await give();
  expect(late.status).toBe(403);
  expect(await late.texts('textarea[name="contribution"]')).toEqual(["And *more*."]);
  expect((await late.texts('form [role="alert"]')).join()).toContain(
    "This part does not take contributions.",
  );
});

test("A-05 E-10 the form of a session's goal contains every field, and untouched ones stay", async () => {
  const host = await makeUser();
  const timers = [
    { title: "Rounds", sets: 3, is_interval: 1, timers: [{ title: "Work", duration: 60 }] },
    { title: "Rest", duration: 120 },
  ];
  const recurrence = { every: "weekdays", weekdays: [1, 3] };
  const task = { title: "Row", link: "https://example.com/row", tags: ["calm"], recurrence, timers };
  const { id, path } = await makeSession(host, { tasks: [task] });
  const goal = async () => (await dataOf(host, `/api/sessions/${id}`)).goals[0];
  const before = await goal();
  expect(before).toMatchObject({ tags: ["calm"], recurrence });
  const address = `${path}/goals?edit=${before.uuid}`;
  const formOf = async () => {
    const { forms } = await openPage(host, address);
    const form = forms.find((one) => standsIn(one, "intent") === "task.update");
    if (!form) throw new Error("no form of the goal");
    return form;
  };
  expect((await postForm(host, address, await formOf(), { title: "Row on" })).status).toBe(302);
  expect(await goal()).toEqual({ ...before, title: "Row on", updated_at: expect.anything() });
  const gone = { tags: "", every: "", "timers[1].title": "", "timers[1].duration": "" };
  expect((await postForm(host, address, await formOf(), gone)).status).toBe(302);
  expect(await goal()).toMatchObject({ tags: [], recurrence: null, timers: [{ title: "Rounds" }] });
});

test.each(["/challenges/events/create", "/challenges/create"])(
  "X-02 a list where %s expects a text is refused on the page",
  async (path) => {
    const user = await makeUser();
    const { status, html } = await post(user, path, {
      intent: "create",
      title: "Lists",
      "duration[0]": "1h",
      "startedAt[0]": "2026-11-21 09:30",
      "rows.x": "1",
      "goals.x": "1",
    });
    expect([status, html.includes("Something went wrong")]).toEqual([422, false]);
  },
);

test("U-39 the page of a public session has its schema.org event, without code, link and people", async () => {
  const host = await makeUser();
  const started_at = new Date(Date.now() + HOUR).toISOString();
  const about = { started_at, is_manually_started: 0, content: "Bring tea.", duration: 1800 };
  const { id } = await makeSession(host, { ...about, meeting_link: "https://meet.example/room" });
  const coded = await makeSession(host, { ...about, join_code: "sesame" });
  const undated = await makeSession(host);
  const eventOf = async (session: number, tab = "") => {
    const { html } = await visit(null, `/sessions/${session}${tab}`);
    const [, text = "null"] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
    return { text, event: JSON.parse(text) };
  };
  const { text, event } = await eventOf(id);
  const url = expect.stringMatching(new RegExp(`^https?://.*/sessions/${id}$`));
  expect(event).toMatchObject({
    "@type": "Event",
    name: "Morning pages",
    description: "Bring tea.",
    url,
    startDate: started_at,
    endDate: new Date(Date.parse(started_at) + 1800_000).toISOString(),
    location: { "@type": "VirtualLocation", url },
  });
  expect(text).not.toMatch(new RegExp(`meet\\.example|${host.username}`));
  const { text: closed } = await eventOf(coded.id);
  expect(closed).toContain("Morning pages");
  expect(closed).not.toMatch(/Bring tea|sesame/);
  expect((await eventOf(undated.id)).event).toBeNull();
  expect((await eventOf(id, "/goals")).event).toBeNull();
});

test("U-44 M-29 Join is not offered for a template, nor at the room's capacity, and goes on elsewhere", async () => {
  const [host, guest] = [await makeUser(), await makeUser()];
  const [template, crowded, open] = [
    await makeSession(host),
    await makeSession(host),
    await makeSession(host),
  ];
  await setSession(template.id, { isTemplate: true });
  await setSession(crowded.id, { participantsCount: 1_000_000 });
  const buttonsOf = async (user: TestUser | null, { path }: { path: string }) =>
    (await (await visit(user, path)).texts("main button")).filter((text) => text === "Join");
  for (const user of [guest, null]) {
    expect(await buttonsOf(user, template)).toEqual([]);
    expect(await buttonsOf(user, crowded)).toEqual([]);
    expect(await buttonsOf(user, open)).toEqual(["Join"]);
  }
  expect((await visit(guest, crowded.path)).html).toContain(sessionFull);
  expect((await visit(guest, template.path)).html).not.toContain(sessionFull);
});
