// Contributions of participants to the text of a session: each has its author, in the room, on the pages and in the files.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { runBatch, schema } from "#db/connect.server";
import { eraseAccount } from "#db/queries/accounts/deletion";
import { mirrorRoom } from "#db/queries/room/record";
import { callAs } from "#tests/support/ask";
import { appOf, db, type TestUser } from "#tests/support/factories";
import { joinRoom, stubOf } from "#tests/support/rooms";
import { leave, sessionNow, stageSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { instant, MINUTE } from "~/domain/time";
import { exportRows } from "~/use-cases/export-rows.server";

const open = [{ uuid: "g", auto_start: 0, parts: [{ uuid: "t", duration: 300, edit_content: 1 }] }];

/** A running session to which host and guest have contributed. */
async function contributedSession(over: Record<string, unknown> = {}) {
  const staged = await stageSession({ content: "Once.", parts: open, ...over });
  const { host, guest, event, challenge } = staged;
  const give = (user: TestUser, contribution: string) =>
    challenge(user, "PUT", "/contribute-content", { contribution });
  await event(host, "/start");
  await event(host, "/parts/t/start");
  await give(host, "A *fox* came.");
  await give(guest, "It was late.");
  return { ...staged, give };
}
const stored = async (id: number) =>
  (
    await env.DB.prepare(
      "SELECT user_id, username, content, content_html FROM contributions WHERE session_id = ? ORDER BY seq",
    )
      .bind(id)
      .all()
  ).results;

test("R-66 contributions are rows with author, text and HTML, and content is the host's text and theirs", async () => {
  const { host, guest, session, view } = await contributedSession();
  expect(await stored(session.id)).toEqual([
    {
      user_id: host.id,
      username: host.username,
      content: "A *fox* came.",
      content_html: "<p>A <em>fox</em> came.</p>",
    },
    {
      user_id: guest.id,
      username: guest.username,
      content: "It was late.",
      content_html: "<p>It was late.</p>",
    },
  ]);
  expect((await sessionNow(session.id))?.content).toBe("Once.");
  expect((await view(guest)).session).toMatchObject({
    content: "Once.\n\nA *fox* came.\n\nIt was late.",
    content_html: "<p>Once.</p>\n<p>A <em>fox</em> came.</p>\n<p>It was late.</p>",
    host_content: "Once.",
    contributions: [{ username: host.username }, { username: guest.username, content: "It was late." }],
  });
});

test("R-66 Q-41 a late write of an older room changes no contribution, and that of a newer room does", async () => {
  const { host, session } = await contributedSession();
  const { state } = await (await appOf(host)).rooms.of(session.id).view();
  await db
    .update(schema.contributions)
    .set({ username: "renamed" })
    .where(eq(schema.contributions.userId, host.id));
  const write = (seq: number) =>
    runBatch(db, mirrorRoom(db, { ...state, seq }, new Set(["contributions"]), instant(Date.now())));
  const names = async () => (await stored(session.id)).map(({ username }) => username === "renamed");
  const { roomVersion = 0 } = (await sessionNow(session.id)) ?? {};
  for (const seq of [roomVersion, roomVersion - 1]) {
    await write(seq);
    expect(await names()).toEqual([true, false]);
  }
  await write(roomVersion + 1);
  expect(await names()).toEqual([false, false]);
});

test("X-07 a contribution whose form is sent again is added once, and the next page adds another", async () => {
  const { guest, session } = await contributedSession();
  const path = `/sessions/${session.id}`;
  const form = async () => {
    const [uuid] = await (await visit(guest, path)).all(
      'form[aria-label="Your contribution"] input[name=uuid]',
    );
    return { intent: "texts.contribute", contribution: "Again.", uuid: uuid?.attributes.value ?? "" };
  };
  const sent = await form();
  for (const again of [sent, sent, await form()])
    expect((await post(guest, path, again)).location).toBe(path);
  expect((await stored(session.id)).map(({ content }) => content).slice(2)).toEqual(["Again.", "Again."]);
});

test("R-66 save-content replaces only the host's text", async () => {
  const { host, guest, challenge, view } = await contributedSession();
  const saved = await challenge(host, "PUT", "/save-content", { content: "Twice." });
  const content = "Twice.\n\nA *fox* came.\n\nIt was late.";
  expect(saved.body.content).toBe(content);
  expect((await view(guest)).session).toMatchObject({ content, host_content: "Twice." });
});

test("R-66 a contribution shows its author in the room, on the page, in the recap and in its file", async () => {
  const { host, guest, session, event, give } = await contributedSession();
  const line = await joinRoom(host, session.id);
  expect((await line.expect("welcome")).room?.contributions).toMatchObject([
    { username: host.username },
    { username: guest.username },
  ]);
  await give(guest, "The end.");
  const { contributions = [] } = await line.expect("content");
  expect(contributions.map(({ username, content }) => [username, content]).at(-1)).toEqual([
    guest.username,
    "The end.",
  ]);
  const authors = async (path: string) => (await visit(host, path)).texts('ol[aria-label="Contributions"] a');
  const names = [host.username, guest.username, guest.username];
  expect(await authors(`/sessions/${session.id}`)).toEqual(names);
  vi.setSystemTime(Date.now() + MINUTE);
  await event(host, "/end");
  expect(await authors(`/sessions/${session.id}`)).toEqual(names);
  expect(await authors(`/sessions/${session.id}/recap`)).toEqual(names);
  const file = await visit(host, `/sessions/${session.id}/recap.markdown`);
  expect(file.html).toContain(`${guest.username}:\n\nThe end.`);
});

test("R-66 Q-12 a blocked author has an alias, in the room and on the page, also after leaving", async () => {
  const { host, guest, session, view } = await contributedSession();
  await callAs(host, "PUT", `/api/blocks/${guest.username}`);
  const shown = async () => {
    const { contributions } = (await view(host)).session;
    const line = await joinRoom(host, session.id);
    const heard = (await line.expect("welcome")).room?.contributions ?? [];
    line.socket.close();
    return [contributions, heard].map((list: { username: string }[]) => list.map(({ username }) => username));
  };
  for (const names of await shown())
    expect(names).toEqual([host.username, expect.stringMatching(/^Participant \d$/)]);
  await leave(guest, session.id);
  for (const names of await shown())
    expect(names).toEqual([host.username, expect.stringMatching(/^Participant \d$/)]);
});

test("R-66 R-48 people without a seat see no contribution behind a join code", async () => {
  const { session } = await contributedSession({ join_code: "lamp" });
  const seen = await visit(null, `/sessions/${session.id}`);
  expect(seen.html).toContain("Once.");
  expect(seen.html).not.toMatch(/late\.|fox/);
});

test("R-66 X-17 the export holds the contributions that a person wrote, and no others", async () => {
  const { guest, session } = await contributedSession();
  const rows: unknown[] = [];
  for await (const some of exportRows(await appOf(guest), "contributions")) rows.push(...some);
  expect(rows).toMatchObject([
    { challenge_event_id: session.id, username: guest.username, content: "It was late." },
  ]);
});

test("R-66 Q-41 a deleted account's contributions keep their words under another name, in D1 and in the room", async () => {
  const { host, guest, session, give, view } = await contributedSession();
  const name = `deleted.${guest.id}`;
  await runBatch(db, eraseAccount(db, guest.id, instant(Date.now())));
  expect((await stored(session.id)).map(({ username }) => username)).toEqual([host.username, name]);
  // The room does not know of the deletion yet, and writes its copy once more.
  await give(host, "More.");
  await stubOf(session.id).eraseAuthor(session.id, { userId: guest.id, username: name });
  expect((await view(host)).session.contributions.map((one: { username: string }) => one.username)).toEqual([
    host.username,
    name,
    host.username,
  ]);
  await stubOf(session.id).refresh(session.id);
  expect((await stored(session.id)).map(({ username }) => username)).toEqual([
    host.username,
    name,
    host.username,
  ]);
});
