// A session with a join code, seen by people without a seat: the host's texts, and nothing from participants.
import { describe, expect, test } from "vitest";
import { callAs, dataOf } from "#tests/support/ask";
import { makeUser, type TestUser } from "#tests/support/factories";
import { joinRoom, watchRoom } from "#tests/support/rooms";
import { leave, sayIn, stageSession } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";

const TABS = ["", "/goals", "/member-goals", "/logs", "/hut", "/chat"];
const SECRETS = ["Contributed-secret", "Prompt-secret", "Logged-secret", "Said-secret", "Posted-secret"];

/** A running session with a join code, with everything that outsiders may not see. */
async function closedSession() {
  const parts = [
    {
      uuid: "g",
      auto_start: 0,
      parts: [
        { uuid: "turns", title: "Read aloud", duration: 300, per_participant: 1 },
        { uuid: "b", title: "Talk", duration: 300 },
      ],
    },
  ];
  const staged = await stageSession({
    title: "Closed evening",
    content: "Host-text",
    join_code: "lamp",
    tasks: [{ title: "Host-goal" }],
    parts,
  });
  const { host, guest, admin, session, event, challenge, view } = staged;
  const outsider = await makeUser();
  await event(host, "/start");
  await event(host, "/parts/turns/start");
  await challenge(host, "PUT", "/contribute-content", { contribution: "Contributed-secret" });
  await challenge(host, "PUT", "/save-content", { prompt: "Prompt-secret" });
  const [goal] = (await view(host)).goals;
  await event(guest, "/logs", { task_uuid: goal.uuid, title: "Logged-secret", amount: 3 });
  await sayIn(guest, session.id, "Said-secret");
  await challenge(guest, "POST", "/posts", { content: "Posted-secret" });
  await challenge(guest, "POST", "/user-is-ready");
  const inside = JSON.stringify(await Promise.all(TABS.map((tab) => view(guest, tab))));
  expect(SECRETS.filter((secret) => !inside.includes(secret))).toEqual([]);
  return { ...staged, outsider, names: [guest.username, admin.username] };
}

const hidden = (text: string, names: string[]): string[] =>
  [...SECRETS, ...names].filter((secret) => text.includes(secret));

describe("Q-45 a session with a join code", () => {
  test("Q-45 a call shows an outsider only title, times, host, counts, text, plan and goals", async () => {
    const { host, guest, outsider, session, view, names } = await closedSession();
    for (const user of [null, outsider])
      for (const tab of TABS) {
        const seen = await view(user, tab);
        expect([tab, hidden(JSON.stringify(seen), names)]).toEqual([tab, []]);
        expect(seen.session).toMatchObject({
          title: "Closed evening",
          content: "Host-text",
          prompt: "",
          summary: "",
          host: host.username,
          participants_count: 3,
          participants: [],
          status: 1,
          needs_code: 1,
          me: { may_read: 0 },
        });
        expect(seen.session.content_html).toBe("<p>Host-text</p>");
        expect(seen.session.parts[0].parts.map(({ title }: { title: string }) => title)).toEqual([
          "Read aloud",
          "Talk",
        ]);
        // Turns lose their names, and still count, so that times are right.
        expect(seen.session.parts[0].parts[0].turns).toHaveLength(3);
      }
    expect((await view(outsider)).goals).toMatchObject([{ title: "Host-goal", logs_count: 0 }]);
    // Participants and super admins see everything.
    for (const user of [host, guest, await makeUser({ roleId: 10 })])
      expect((await view(user)).session).toMatchObject({
        content: "Host-text\n\nContributed-secret",
        prompt: "Prompt-secret",
      });
    // A seat that was given up does not count.
    await leave(guest, session.id);
    expect(hidden(JSON.stringify(await view(guest)), ["Contributed-secret"])).toEqual([]);
    expect((await view(guest)).session.content).toBe("Host-text");
  });

  test("Q-45 a page shows an outsider nothing that participants wrote", async () => {
    const { outsider, session, host, names } = await closedSession();
    for (const user of [null, outsider])
      for (const tab of TABS) {
        const page = await visit(user, `/sessions/${session.id}${tab}`);
        expect([tab, page.status, hidden(page.html, names)]).toEqual([tab, 200, []]);
      }
    const details = await visit(outsider, `/sessions/${session.id}`);
    expect(details.html).toContain("Host-text");
    expect((await visit(outsider, `/sessions/${session.id}/goals`)).html).toContain("Host-goal");
    expect((await details.texts("aside")).join()).toContain(`${host.username} hosts this session.`);
    expect((await details.texts("h2")).join()).toContain("Participants (3)");
  });

  test("Q-45 after the session's end the record shows outsiders only the host's text", async () => {
    const { host, outsider, event, view, names } = await closedSession();
    await event(host, "/end");
    const seen = await view(outsider);
    expect(seen.session).toMatchObject({ status: 2, content: "Host-text", prompt: "", summary: "" });
    expect(hidden(JSON.stringify(seen), names)).toEqual([]);
    expect((await view(host)).session.content).toContain("Contributed-secret");
  });

  test("Q-45 R-66 outsiders see what the host saves after a contribution, and never the contribution", async () => {
    const { host, outsider, event, challenge, view } = await stageSession({
      content: "First",
      join_code: "lamp",
      parts: [{ uuid: "g", auto_start: 0, parts: [{ uuid: "t", duration: 300, edit_content: 1 }] }],
    }).then(async (staged) => ({ ...staged, outsider: await makeUser() }));
    const save = (content: string) => challenge(host, "PUT", "/save-content", { content });
    const content = async () => (await view(outsider)).session.content;
    await event(host, "/start");
    await event(host, "/parts/t/start");
    await save("Second");
    expect(await content()).toBe("Second");
    await challenge(host, "PUT", "/contribute-content", { contribution: "Added" });
    expect(await content()).toBe("Second");
    await save("Third");
    expect(await content()).toBe("Third");
    expect((await view(host)).session.content).toBe("Third\n\nAdded");
  });

  test("C-54 R-15 the code opens a session in the query or in the body, at both addresses", async () => {
    const { session } = await stageSession({ join_code: "1234" });
    for (const path of [`/challenge-events/${session.id}/join`, `/challenges/${session.slug}/join`])
      for (const [query, body, status] of [
        ["", {}, 403],
        ["", { join_code: "other" }, 403],
        ["", { join_code: "1234" }, 200],
        ["", { join_code: 1234 }, 200],
        ["?join_code=1234", {}, 200],
        ["?join_code=1234", { join_code: "other" }, 200],
      ] as const) {
        const answer = await callAs(await makeUser(), "POST", `${path}${query}`, body);
        expect([path, query, body, answer.status]).toEqual([path, query, body, status]);
      }
  });

  test("Q-45 a code that is set during the run applies at once, to pages and spectators", async () => {
    const { host, guest, session, event, challenge, view } = await stageSession({
      content: "Host-text",
      parts: [{ uuid: "g", auto_start: 0, parts: [{ uuid: "t", duration: 300, edit_content: 1 }] }],
    });
    await event(host, "/start");
    await event(host, "/parts/t/start");
    await challenge(guest, "PUT", "/contribute-content", { contribution: "Contributed-secret" });
    const line = await watchRoom(session.id);
    expect((await line.expect("welcome")).room?.content).toContain("Contributed-secret");
    await callAs(host, "PATCH", `/challenge-events/${session.id}/patch`, {
      challenge: { join_code: "lamp" },
    });
    expect((await view(null)).session.content).toBe("Host-text");
    expect((await line.closed).code).toBe(4409);
    expect(await (await watchRoom(session.id)).expect("welcome")).toMatchObject({
      room: { content: "Host-text" },
      participants: [],
      online: [],
    });
  });

  test("Q-45 a spectator's socket contains neither participants' texts nor their names", async () => {
    const { host, guest, session, event, challenge, names } = await closedSession();
    const line = await watchRoom(session.id);
    expect(await line.expect("welcome")).toMatchObject({
      room: { title: "Closed evening", content: "Host-text", prompt: "", summary: "", status: 1 },
      participants: [],
      online: [],
      count: 0,
    });
    await challenge(guest, "POST", "/user-is-ready");
    await challenge(guest, "GET", "/prompt");
    await challenge(host, "PUT", "/contribute-content", { contribution: "Contributed-secret again" });
    await event(host, "/parts/turns/pause");
    const parts = await line.expect("parts", (op) => op.parts[0]?.parts[0]?.state === "paused");
    expect(parts.parts[0]?.parts[0]?.turns).toEqual(["Participant 1", "Participant 2", "Participant 3"]);
    expect(await line.expect("content")).toMatchObject({ content: "Host-text", prompt: "" });
    expect(hidden(JSON.stringify(line.heard), [...names, host.username])).toEqual([]);
  });

  test.each([
    ["with a join code", "lamp"],
    ["without a join code", ""],
  ])("R-16 a spectator's socket receives no log, %s", async (_, code) => {
    const { host, guest, session, event } = await stageSession({
      content: "Host-text",
      join_code: code,
      tasks: [{ title: "Host-goal" }],
    });
    await event(host, "/start");
    await event(guest, "/logs", { title: "Logged-secret before", amount: 3 });
    const [watching, joined] = [await watchRoom(session.id), await joinRoom(host, session.id)];
    await watching.expect("welcome");
    expect((await joined.expect("history")).logs).toMatchObject([{ title: "Logged-secret before" }]);
    await event(guest, "/logs", { title: "Logged-secret while they watch", amount: 3 });
    expect((await joined.expect("logs")).log).toMatchObject({ title: "Logged-secret while they watch" });
    // The end arrives after everything before it.
    await event(host, "/end");
    await watching.expect("status", (op) => op.status === 2);
    expect(hidden(JSON.stringify(watching.heard), ["Logged-secret"])).toEqual([]);
    expect(watching.heard.map(({ type }) => type)).not.toContain("logs");
  });

  test("Q-45 lists and searches show an outsider no summary", async () => {
    const { guest, outsider, challenge, event, host, session } = await stageSession({
      title: "Lantern walk",
      content: "Host-text",
      join_code: "lamp",
    }).then(async (staged) => ({ ...staged, outsider: await makeUser() }));
    await challenge(host, "PUT", "/save-content", { content: "Zebrasecret words" });
    const cardFor = async (user: TestUser | null, q: string) =>
      (await dataOf(user, `/api/events?q=${q}`)).sessions.find(({ id }: { id: number }) => id === session.id);
    expect(await cardFor(outsider, "lantern")).toMatchObject({ title: "Lantern walk", summary: "" });
    expect(await cardFor(null, "lantern")).toMatchObject({ summary: "" });
    expect(await cardFor(guest, "lantern")).toMatchObject({ summary: "Zebrasecret words" });
    await event(host, "/start");
    expect((await cardFor(outsider, "lantern")).summary).toBe("");
  });
});
