// Acts on people whose names a block hides: a handle of the seat names them, because an alias is a position.
import { expect, test, vi } from "vitest";
import { callAs, dataOf } from "#tests/support/ask";
import { makeUsers, type TestUser } from "#tests/support/factories";
import { joinRoom } from "#tests/support/rooms";
import { iso } from "#tests/support/series";
import { join, leave, makeSession, seatsOf } from "#tests/support/sessions";
import { visit } from "#tests/support/visit";
import { DAY, SECOND } from "~/domain/time";

type Shown = { username: string; handle?: string };
const HANDLE = /^~[0-9a-f]{16}$/;

/** The host, somebody early, and two people of whom the host sees "Participant 3" and "Participant 4". */
async function stageHidden() {
  const [host, early, a, b] = await makeUsers(4);
  const { id, slug } = await makeSession(host, {
    is_manually_started: 0,
    started_at: iso(Date.now() + 2 * DAY),
  });
  for (const user of [early, a, b]) {
    vi.setSystemTime(Date.now() + SECOND);
    await join(user, id);
  }
  for (const user of [a, b]) await callAs(host, "PUT", `/api/blocks/${user.username}`);
  const roster = async (viewer: TestUser = host): Promise<Shown[]> =>
    (await dataOf(viewer, `/api/sessions/${id}`)).session.participants;
  const act = (method: string, who: string, body: object = {}, by: TestUser = host) =>
    callAs(by, method, `/challenge-events/${id}/participants/${encodeURIComponent(who)}`, body);
  const handleOf = async (alias: string) =>
    (await roster()).find(({ username }) => username === alias)?.handle ?? "";
  const seated = async () => new Set((await seatsOf(id)).map(({ userId }) => userId));
  return { host, early, a, b, id, slug, roster, act, handleOf, seated };
}

test("Q-12 Q-14 an alias that moved when somebody left removes nobody", async () => {
  const { host, early, a, b, id, act, seated } = await stageHidden();
  await leave(early, id);
  expect((await act("DELETE", "Participant 3", { keep_out: 1 })).status).toBe(404);
  expect((await act("DELETE", "Participant 3")).status).toBe(404);
  expect((await act("PATCH", "Participant 3", { mute: 1 })).status).toBe(404);
  expect(await seated()).toEqual(new Set([host.id, a.id, b.id]));
});

test.each([{}, { keep_out: 1 }])(
  "Q-12 Q-14 a handle removes the person of the page with %j, also after somebody else has left",
  async (body) => {
    const { host, early, a, b, id, act, handleOf, seated } = await stageHidden();
    const handle = await handleOf("Participant 3");
    await leave(early, id);
    expect((await act("DELETE", handle, body)).status).toBe(204);
    expect(await seated()).toEqual(new Set([host.id, b.id]));
    expect((await act("DELETE", handle)).status).toBe(404);
    expect((await join(b, id)).status).toBe(200);
    expect((await join(a, id)).status).toBe(body.keep_out ? 403 : 200);
  },
);

test("Q-12 Q-13 a handle mutes, makes an admin and hands over, and the answer has the present alias", async () => {
  const { host, early, a, id, slug, act, handleOf } = await stageHidden();
  const handle = await handleOf("Participant 3");
  await leave(early, id);
  for (const body of [{ mute: 1 }, { mute: 0 }, { role: 1 }, { host: 1 }]) {
    const { status, body: answer } = await act("PATCH", handle, body);
    expect([status, answer.participant]).toMatchObject([200, { username: "Participant 2", handle }]);
    expect(JSON.stringify(answer)).not.toContain(a.username);
  }
  const seats = await seatsOf(id);
  expect(seats.map(({ userId, role, isHost }) => [userId, role, isHost])).toContainEqual([a.id, 1, true]);
  expect(
    (await callAs(host, "PUT", `/challenges/${slug}/save-content`, { content: "As admin." })).status,
  ).toBe(200);
});

test("Q-12 only people under an alias have a handle, on the page, in calls and in the room", async () => {
  const { host, early, a, id, roster } = await stageHidden();
  expect((await roster()).map(({ username, handle }) => [username, HANDLE.test(handle ?? "")])).toEqual([
    [host.username, false],
    [early.username, false],
    ["Participant 3", true],
    ["Participant 4", true],
  ]);
  const goals = JSON.stringify(await dataOf(host, `/api/sessions/${id}/member-goals`));
  for (const { handle } of (await roster()).slice(2)) expect(goals).toContain(`"handle":"${handle}"`);
  const { participants } = await (await joinRoom(host, id)).expect("welcome");
  expect(new Set(participants.map(({ handle }) => handle))).toEqual(
    new Set((await roster()).map(({ handle }) => handle)),
  );
  for (const viewer of [early, a])
    expect((await roster(viewer)).filter(({ handle }) => handle).length).toBe(viewer === a ? 1 : 0);
  const { html } = await visit(host, `/sessions/${id}/people`);
  for (const { handle } of (await roster()).slice(2)) expect(html).toContain(`value="${handle}"`);
});

test("Q-12 Q-17 a handle gives no right: only host and admins act by it, and only in its session", async () => {
  const { early, a, act, handleOf, host } = await stageHidden();
  const handle = await handleOf("Participant 3");
  for (const by of [early, a]) expect((await act("DELETE", handle, {}, by)).status).toBe(403);
  const other = await makeSession(host);
  const path = `/challenge-events/${other.id}/participants/${encodeURIComponent(handle)}`;
  expect((await callAs(host, "DELETE", path)).status).toBe(404);
});

test("R-55 Q-13 a person who becomes host while muted may write as host, in the record and in the room", async () => {
  const { host, early, b, id, slug, act } = await stageHidden();
  expect((await act("PATCH", early.username, { mute: 1 })).status).toBe(200);
  expect((await act("PATCH", b.username, { mute: 1 })).status).toBe(200);
  const line = await joinRoom(early, id);
  expect((await line.expect("welcome")).mutes).toHaveLength(1);
  expect((await act("PATCH", early.username, { host: 1 })).status).toBe(200);
  await line.expect("mutes", ({ mutes }) => mutes.every(({ username }) => username !== early.username));
  const save = (user: TestUser) =>
    callAs(user, "PUT", `/challenges/${slug}/save-content`, { content: "Welcome." });
  expect((await save(early)).status).toBe(200);
  // The mute of somebody else, and a later one of the former host, apply.
  expect(
    (await callAs(host, "POST", `/challenges/${slug}/posts`, { title: "T", content: "C" })).status,
  ).toBeLessThan(300);
  expect((await callAs(b, "POST", `/challenges/${slug}/posts`, { title: "T", content: "C" })).status).toBe(
    403,
  );
});
