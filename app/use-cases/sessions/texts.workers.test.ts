// The texts of a session, through HTTP and its real room: content, summary, chat; with permissions.
import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { ask, callAs, dataOf, ORIGIN } from "#tests/support/ask";
import { makeUser, type TestUser } from "#tests/support/factories";
import { balanceOf, stageSession } from "#tests/support/sessions";
import { createHttp } from "#workers/http";

describe("C-68 C-69 the texts", () => {
  test("A-06 A-07 before the start host and admins edit; during the run an admin only if the part allows it", async () => {
    const { host, guest, admin, event, challenge, view } = await stageSession();
    const save = (user: TestUser, body: object) => challenge(user, "PUT", "/save-content", body);
    expect((await save(guest, { content: "x" })).status).toBe(403);
    const saved = await save(admin, {
      title: "New title",
      content: "**Bold**",
      prompt: "What now?",
      client_uuid: "c",
    });
    expect(saved.body).toMatchObject({ title: "New title", content: "**Bold**", prompt: "What now?" });
    expect(saved.body.content_html).toContain("<strong>Bold</strong>");
    expect((await save(host, { title: "  " })).body.fields.title).toEqual([
      "Please set the challenge title.",
    ]);

    await event(host, "/start");
    expect((await save(admin, { content: "Not yet" })).status).toBe(403);
    await event(host, "/parts/a/start");
    expect((await save(admin, { content: "In part A" })).status).toBe(200);
    expect((await view(guest)).session.content).toBe("In part A");
    await event(host, "/parts/b/start");
    expect((await save(admin, { content: "In part B" })).status).toBe(403);
    expect((await save(host, { content: "By the host" })).body.content).toBe("By the host");
    expect((await save(host, { prompt: "And now?" })).body.prompt).toBe("And now?");
    expect((await view(guest)).session).toMatchObject({ content: "By the host", title: "New title" });
    expect((await save(host, { title: "Renamed" })).body.title).toBe("Renamed");
    expect((await view(guest)).session).toMatchObject({ content: "By the host", title: "Renamed" });
  });

  test("C-69 A-08 T-15 only the turn holder contributes, and contributions are appended", async () => {
    const parts = [
      { uuid: "g", auto_start: 0, parts: [{ uuid: "turns", duration: 300, per_participant: 1 }] },
    ];
    const { host, guest, event, challenge, view } = await stageSession({ parts });
    const give = (user: TestUser, contribution: string) =>
      challenge(user, "PUT", "/contribute-content", { contribution });
    expect((await give(host, "Too early")).status).toBe(409);
    await event(host, "/start");
    await event(host, "/parts/turns/start");
    expect((await give(await makeUser(), "x")).status).toBe(403);
    expect((await give(guest, "Not my turn")).status).toBe(403);
    // The renderer removes control characters.
    for (const empty of ["  ", "\u0000\u0001"])
      expect((await give(host, empty)).body.fields.contribution).toEqual(["Please write your contribution."]);
    const given = await give(host, "My *line*.");
    expect([given.status, given.body.content]).toEqual([200, "My *line*."]);
    expect(given.body.content_html).toContain("<em>line</em>");
    expect((await view(guest)).session.content).toBe("Begin here.\n\nMy *line*.");
  });
});

describe("C-65 C-66 C-67 the summary", () => {
  const content =
    "We met at the hut. We wrote three pages each. Then there was tea. Nobody left early. It rained.";

  test("C-65 C-66 L-12 it is made from title and content, and stored, for participants", async () => {
    const { guest, challenge, view } = await stageSession({ content });
    for (const path of ["/prompt", "/poll", "/stream"])
      expect((await challenge(await makeUser(), "GET", path)).status).toBe(403);
    const made = await challenge(guest, "GET", "/prompt");
    expect(made.status).toBe(200);
    expect(made.body.summary.length).toBeGreaterThan(10);
    expect(made.body.data).toBe(made.body.summary);
    expect((await challenge(guest, "GET", "/poll")).body.summary).toBe(made.body.summary);
    expect((await view()).session.summary).toBe(made.body.summary);
  });

  test("C-67 it streams as server-sent events, and is stored when complete", async () => {
    const { host, guest, session, event, challenge } = await stageSession({ content });
    await event(host, "/start");
    const response = await ask(`/challenges/${session.slug}/stream`, {
      headers: { Cookie: `login=${guest.loginToken}`, Origin: ORIGIN },
    });
    expect(response.headers.get("Content-Type")).toMatch(/^text\/event-stream/);
    const text = await response.text();
    const whole = /event: done\ndata: (.+)\n\n$/.exec(text)?.[1];
    expect(whole?.length).toBeGreaterThan(10);
    expect((await challenge(guest, "GET", "/poll")).body.summary).toBe(whole);
  });
});

test("C-67 the stream sends each piece while the next is generated", async () => {
  const { host, guest, session, event, challenge } = await stageSession({ content: "We met at the hut." });
  await event(host, "/start");
  let model: ReadableStreamDefaultController<Uint8Array> | undefined;
  const said = new ReadableStream<Uint8Array>({
    start(controller) {
      model = controller;
    },
  });
  const send = (data: string) => model?.enqueue(new TextEncoder().encode(`data: ${data}\n\n`));
  const say = (piece: string) => send(JSON.stringify({ response: piece }));
  const http = createHttp(async () => new Response("a page"));
  const asked = new Request(`${ORIGIN}/challenges/${session.slug}/stream`, {
    headers: { Cookie: `login=${guest.loginToken}`, Origin: ORIGIN },
  });
  const context = createExecutionContext();
  const response = await http.fetch(asked, { ...env, AI: { run: async () => said } } as never, context);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const heard = async () => (await reader?.read())?.value;
  say("Short ");
  // The model has sent no more yet: this piece arrives, and nothing is stored.
  expect(await heard()).toBe("event: summary\ndata: Short \n\n");
  expect((await challenge(guest, "GET", "/poll")).body.summary).not.toBe("Short and warm.");
  say("and warm.");
  expect(await heard()).toBe("event: summary\ndata: and warm.\n\n");
  send("[DONE]");
  model?.close();
  expect(await heard()).toBe("event: done\ndata: Short and warm.\n\n");
  await waitOnExecutionContext(context);
  expect((await challenge(guest, "GET", "/poll")).body.summary).toBe("Short and warm.");
});

describe("C-85 chat", () => {
  const say = (user: TestUser | null, id: number, body: object) =>
    callAs(user, "POST", "/messages", { messageable_type: "challenge_event", messageable_id: id, ...body });

  test("C-85 E-15 R-16 B-05 participants chat while it is in progress, and read it afterwards", async () => {
    const { host, guest, session, event, view } = await stageSession();
    const early = await say(guest, session.id, { content: "Hello?" });
    expect([early.status, early.body.message]).toEqual([
      409,
      "Chat is active when the session is in progress.",
    ]);
    await event(host, "/start");
    const { status, body } = await say(guest, session.id, {
      content: " Hello! ",
      client_uuid: "me",
      request_uuid: "r1",
    });
    expect(status).toBe(201);
    expect(body.message).toMatchObject({
      content: "Hello!",
      username: guest.username,
      messageable_type: "challenge_event",
      messageable_id: session.id,
      client_uuid: "me",
    });
    expect(body.message.created_at).toMatch(/Z$/);
    expect(
      (await say(guest, session.id, { content: " Hello! ", client_uuid: "me", request_uuid: "r1" })).body,
    ).toEqual(body);
    expect((await say(await makeUser(), session.id, { content: "x" })).status).toBe(403);
    expect((await say(guest, session.id, { content: " " })).status).toBe(422);
    expect(
      (await say(guest, session.id, { content: "x", messageable_type: "hut" })).body.fields.messageable_type,
    ).toEqual(["Please send messageable_type challenge_event."]);
    expect((await view(host, "/chat")).messages.map(({ content }: { content: string }) => content)).toEqual([
      "Hello!",
    ]);
    expect((await view(await makeUser(), "/chat")).messages).toEqual([]);
    await event(host, "/end");
    expect((await view(host, "/chat")).messages).toHaveLength(1);
    expect((await say(guest, session.id, { content: "Late" })).status).toBe(409);
    // One message of the reserved block was used (B-13).
    expect(await balanceOf(guest)).toBe(899);
  });

  test("C-05 a page before the first message returns earlier ones", async () => {
    const { host, session, event } = await stageSession();
    await event(host, "/start");
    for (let index = 0; index < 55; index++) await say(host, session.id, { content: `Line ${index}` });
    const chat = (query = "") => dataOf(host, `/api/sessions/${session.id}/chat${query}`);
    const newest = await chat();
    expect(newest.messages.at(-1).content).toBe("Line 54");
    const earlier = await chat(`?before=${newest.before}`);
    expect(earlier.messages.map(({ content }: { content: string }) => content)).toEqual(
      Array.from({ length: earlier.messages.length }, (_, index) => `Line ${index}`),
    );
    expect(earlier.messages.length + newest.messages.length).toBe(55);
  });
});
