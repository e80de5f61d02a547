// The aims of people in a session: their writers, times and readers, and their end by removal, mute, block, report
// and deletion of the account.
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { runBatch } from "#db/connect.server";
import { eraseAccount } from "#db/queries/accounts/deletion";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { joinRoom, watchRoom } from "#tests/support/rooms";
import { join, leave, seatsOf, setSession, stageSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { USER_ROLE } from "~/domain/roles";
import { HOUR, instant, MINUTE } from "~/domain/time";
import { exportRows } from "~/use-cases/export-rows.server";
import { deleteGoal } from "~/use-cases/goals/goals.server";

keepBystanders();

const at = (offset: number) => instant(Date.now() + offset);

/** A session with a start in five minutes, a host, a guest and an admin. */
async function arriving(over: Record<string, unknown> = {}) {
  const staged = await stageSession(over);
  const { session } = staged;
  await setSession(session.id, { isManuallyStarted: false, startedAt: at(5 * MINUTE), endedAt: at(HOUR) });
  await (await appOf(staged.host)).rooms.of(session.id).refresh();
  const write = (user: TestUser | null, aim: string, more: object = {}) =>
    callAs(user, "POST", `/challenge-events/${session.id}/aim`, { aim, ...more });
  const remove = (user: TestUser, of: TestUser) =>
    callAs(user, "DELETE", `/challenge-events/${session.id}/participants/${of.username}/aim`);
  const aimsFor = async (user: TestUser | null) => {
    const { session: shown } = await dataOf(user, `/api/sessions/${session.id}`);
    return (shown.participants as { aim: string }[]).map(({ aim }) => aim).filter(Boolean);
  };
  const stored = async (user: TestUser) =>
    (await seatsOf(session.id)).find(({ userId }) => userId === user.id);
  return { ...staged, write, remove, aimsFor, stored };
}

test("R-84 a seat's line is folded, at most 140 characters, and everybody with a seat reads it, live and on the page", async () => {
  const { host, guest, session, write, aimsFor } = await arriving();
  const line = await joinRoom(host, session.id);
  expect(await write(guest, "  Two\n pages ")).toMatchObject({
    status: 200,
    body: { aim: "Two pages", goal_id: null },
  });
  await line.expect("participants", ({ participants }) =>
    participants.some(({ aim }) => aim === "Two pages"),
  );
  expect(await aimsFor(host)).toEqual(["Two pages"]);
  expect(await write(guest, "x".repeat(141))).toMatchObject({ status: 422, body: { error_code: "INVALID" } });
  expect((await write(guest, "x".repeat(140))).status).toBe(200);
  expect((await write(guest, "")).status).toBe(200);
  expect(await aimsFor(host)).toEqual([]);
  await line.expect("participants", ({ participants }) =>
    participants.some(({ username, aim }) => username === guest.username && aim === undefined),
  );
});

test("R-84 nobody without a seat reads a line: not on the page, in its data, by a socket or in its welcome", async () => {
  const { guest, session, write, aimsFor } = await arriving();
  const [stranger, root] = [await makeUser(), await makeUser({ roleId: USER_ROLE.superAdmin })];
  const before = await watchRoom(session.id);
  await before.expect("welcome");
  await write(guest, "larkspur");
  const late = await watchRoom(session.id);
  await late.expect("welcome");
  late.say({ type: "people" });
  await late.expect("people");
  await join(stranger, session.id);
  await leave(stranger, session.id);
  await before.expect("participants", ({ participants }) =>
    participants.some(({ username }) => username === stranger.username),
  );
  for (const heard of [before.heard, late.heard]) expect(JSON.stringify(heard)).not.toContain("larkspur");
  for (const user of [null, stranger, root]) {
    expect(await aimsFor(user)).toEqual([]);
    expect(JSON.stringify(await dataOf(user, `/api/sessions/${session.id}`))).not.toContain("larkspur");
    expect((await visit(user, `/sessions/${session.id}`)).html).not.toContain("larkspur");
  }
});

test("R-84 a line is written from ten minutes before a known start until the end", async () => {
  const { guest, host, session, write, event, stored } = await arriving();
  const move = (startedAt: number) =>
    setSession(session.id, { startedAt: instant(startedAt), endedAt: instant(startedAt + HOUR) });
  await move(at(10 * MINUTE + 1));
  expect(await write(guest, "Early")).toMatchObject({ status: 409, body: { error_code: "CONFLICT" } });
  await move(at(10 * MINUTE));
  expect((await write(guest, "In time")).status).toBe(200);
  await setSession(session.id, { startedAt: null, endedAt: null, isManuallyStarted: true });
  expect((await write(guest, "Unknown")).status).toBe(409);
  await event(host, "/start");
  expect((await write(guest, "Running")).status).toBe(200);
  await event(host, "/end");
  expect((await write(guest, "Late")).status).toBe(409);
  expect((await write(guest, "")).status).toBe(409);
  expect((await stored(guest))?.aim).toBe("Running");
});

test("R-84 a line is tied to one of one's own goals, whose title nobody sees, and outlives the goal", async () => {
  const { guest, host, session, write, stored } = await arriving();
  const mine = await makeGoal(guest, { title: "Secret cello" });
  const theirs = await makeGoal(host, { title: "Theirs" });
  expect((await write(guest, "Play", { goal_id: theirs.id })).status).toBe(404);
  expect(await write(guest, "Play", { goal_id: mine.id })).toMatchObject({ body: { goal_id: mine.id } });
  const seen = await dataOf(host, `/api/sessions/${session.id}`);
  expect(JSON.stringify(seen)).not.toContain("Secret cello");
  expect(seen.session.me.aim_goal_id).toBeNull();
  expect((await dataOf(guest, `/api/sessions/${session.id}`)).session.me).toMatchObject({
    aim: "Play",
    aim_goal_id: mine.id,
  });
  await deleteGoal(await appOf(guest), { goal: mine.id });
  expect((await visit(guest, `/sessions/${session.id}`)).status).toBe(200);
  expect((await write(guest, "Play on", { goal_id: mine.id })).status).toBe(404);
  expect(await stored(guest)).toMatchObject({ aim: "Play" });
});

test("R-84 Q-20 its author, host, admins and super admins remove a line, with an audit row where it is another's", async () => {
  const { host, guest, admin, write, remove, stored } = await arriving();
  const [stranger, root] = [await makeUser(), await makeUser({ roleId: USER_ROLE.superAdmin })];
  await write(guest, "Two pages");
  await write(host, "Host it");
  expect((await remove(stranger, guest)).status).toBe(403);
  expect((await remove(guest, host)).status).toBe(403);
  for (const by of [guest, admin, host, root]) {
    await write(guest, "Two pages");
    expect((await remove(by, guest)).status).toBe(204);
    expect((await remove(by, guest)).status).toBe(204);
    expect((await stored(guest))?.aim).toBe("");
  }
  const acts = await env.DB.prepare("SELECT actor_id FROM audit WHERE action = 'aim-removed' AND user_id = ?")
    .bind(guest.id)
    .all<{ actor_id: number }>();
  expect(acts.results.map(({ actor_id }) => actor_id)).toEqual([admin.id, host.id, root.id]);
  expect((await stored(host))?.aim).toBe("Host it");
});

test("R-84 R-57 a muted person's line is shown to nobody and they write none; it is back with the end of the mute", async () => {
  const { host, guest, admin, session, write, aimsFor } = await arriving();
  await write(guest, "larkspur");
  const line = await joinRoom(admin, session.id);
  const mute = (value: number) =>
    callAs(host, "PATCH", `/challenge-events/${session.id}/participants/${guest.username}`, { mute: value });
  await mute(1);
  await line.expect("participants", ({ participants }) =>
    participants.some(({ username, aim }) => username === guest.username && aim === undefined),
  );
  expect(await aimsFor(admin)).toEqual([]);
  expect((await write(guest, "foxglove")).status).toBe(403);
  // Taking it back puts no word before others.
  expect((await write(guest, "")).status).toBe(200);
  await mute(0);
  expect((await write(guest, "foxglove")).status).toBe(200);
  await vi.waitFor(async () => expect(await aimsFor(admin)).toEqual(["foxglove"]));
});

test("R-84 R-57 Q-13 a person muted for the whole session is free to write after its end, and their line stays hidden", async () => {
  const { host, guest, admin, session, write, aimsFor } = await arriving();
  await write(guest, "larkspur");
  await write(admin, "foxglove");
  const event = `/challenge-events/${session.id}`;
  await callAs(host, "PATCH", `${event}/participants/${guest.username}`, { mute: 1 });
  await callAs(host, "POST", `${event}/start`, {});
  expect((await callAs(host, "POST", `${event}/end`, {})).status).toBe(200);
  expect(await aimsFor(admin)).toEqual(["foxglove"]);
  // The room reads its record again, and so does one that has lost its state.
  const remove = `${event}/participants/${admin.username}/aim`;
  expect((await callAs(host, "DELETE", remove)).status).toBeLessThan(300);
  const room = (await appOf(host)).rooms.of(session.id);
  await room.refresh();
  expect(await aimsFor(host)).toEqual([]);
  const { session: shown } = await dataOf(host, `/api/sessions/${session.id}`);
  expect(shown.mutes).toEqual([]);
});

test("R-84 Q-08 the line of a muted person is no target of a report for people who do not run the session, also after its end", async () => {
  const { host, guest, admin, session, write } = await arriving();
  const member = await makeUser();
  expect((await join(member, session.id)).status).toBe(200);
  await write(guest, "larkspur");
  const event = `/challenge-events/${session.id}`;
  const shownTo = async (user: TestUser) => {
    const { status, html } = await visit(user, `/account/report/aim/${session.id}:${guest.username}`);
    return [status, html.includes("larkspur")];
  };
  expect(await shownTo(member)).toEqual([200, true]);
  await callAs(host, "PATCH", `${event}/participants/${guest.username}`, { mute: 1 });
  expect(await shownTo(member)).toEqual([404, false]);
  expect(await shownTo(admin)).toEqual([200, true]);
  await callAs(host, "PATCH", `${event}/participants/${guest.username}`, { mute: 0 });
  expect(await shownTo(member)).toEqual([200, true]);
  await callAs(host, "PATCH", `${event}/participants/${guest.username}`, { mute: 1 });
  await callAs(host, "POST", `${event}/start`, {});
  expect((await callAs(host, "POST", `${event}/end`, {})).status).toBe(200);
  expect(await shownTo(member)).toEqual([404, false]);
});

test("R-84 Q-12 people of a block do not read each other's lines", async () => {
  const { host, guest, admin, session, write, aimsFor } = await arriving();
  await write(guest, "larkspur");
  await callAs(admin, "PUT", `/api/blocks/${guest.username}`);
  const line = await joinRoom(admin, session.id);
  await write(guest, "larkspur again");
  await write(host, "seen");
  await line.expect("participants", ({ participants }) => participants.some(({ aim }) => aim === "seen"));
  expect(JSON.stringify(line.heard)).not.toContain("larkspur");
  expect(await aimsFor(admin)).toEqual(["seen"]);
  expect((await aimsFor(host)).sort()).toEqual(["larkspur again", "seen"]);
});

test("R-84 Q-07 people with a seat report a line with its text, and a decision removes it", async () => {
  const { host, guest, session, write, stored } = await arriving();
  const [stranger, root] = [await makeUser(), await makeUser({ roleId: USER_ROLE.superAdmin })];
  await write(guest, "A rude line");
  const target = { kind: "aim", id: `${session.id}:${guest.username}` };
  const send = (user: TestUser) => callAs(user, "POST", "/api/reports", { ...target, reason: "spam" });
  expect((await send(stranger)).status).toBe(404);
  expect((await send(guest)).status).toBe(422);
  expect((await send(host)).status).toBe(201);
  const kept = await env.DB.prepare("SELECT kept, author_id, path FROM reports WHERE kind = 'aim'").first();
  expect(kept).toEqual({ kept: "A rude line", author_id: guest.id, path: `/sessions/${session.id}` });
  await post(root, "/admin/reports", { intent: "decide", ...target, act: "remove", reason: "Rude" });
  expect((await stored(guest))?.aim).toBe("");
  expect((await send(host)).status).toBe(404);
});

test("R-84 Q-40 Q-41 the export has the line, and the account's deletion erases it", async () => {
  const { guest, session, write, stored } = await arriving();
  await write(guest, "larkspur");
  const rows: unknown[] = [];
  for await (const some of exportRows(await appOf(guest), "sessions")) rows.push(...some);
  expect(rows).toMatchObject([{ id: session.id, aim: "larkspur", aim_goal_id: null }]);
  await setSession(session.id, { closedAt: at(0) });
  await runBatch(db, eraseAccount(db, guest.id, at(0)));
  expect(await stored(guest)).toMatchObject({ aim: "", aimGoalId: null });
});

test("R-84 being done is a tick: it is taken back, changes no turn, and the last one ends the session", async () => {
  const turns = [{ uuid: "g", parts: [{ uuid: "t", duration: 60, per_participant: 1 }] }];
  const { host, guest, admin, event, view } = await stageSession({ parts: turns });
  await event(host, "/start");
  const names = [host, guest, admin].map(({ username }) => username);
  const turnsNow = async () => (await view(host)).session.parts[0].parts[0].turns;
  expect((await event(guest, "/complete")).status).toBe(200);
  expect(await turnsNow()).toEqual(names);
  expect(
    (await view(host)).session.participants.map(
      (one: { completed_at: string | null }) => one.completed_at !== null,
    ),
  ).toEqual([false, true, false]);
  expect((await event(guest, "/complete", { complete: 0 })).status).toBe(200);
  expect(await turnsNow()).toEqual(names);
  expect(
    (await view(host)).session.participants.every(
      (one: { completed_at: string | null }) => one.completed_at === null,
    ),
  ).toBe(true);
  for (const user of [guest, admin]) await event(user, "/complete");
  expect((await view(host)).session.status).toBe(1);
  await event(host, "/complete");
  expect((await view(host)).session.status).toBe(2);
  expect((await event(host, "/complete", { complete: 0 })).status).toBe(409);
});
test("R-84 without JavaScript host and admins remove a line on the People page, and each only that one", async () => {
  const { host, guest, admin, session, write, stored } = await arriving();
  const path = `/sessions/${session.id}/people`;
  for (const by of [host, admin]) {
    await write(guest, "Two pages");
    await write(host, "Host it");
    const page = await visit(by, path);
    expect((await page.texts("main li p")).filter((text) => text === "“Two pages”")).toHaveLength(1);
    expect(await page.texts("main button")).toContain(`Remove this line of ${guest.username}`);
    // The form of the button: its intent, and the person.
    const inputs = (await page.all("main form input[type=hidden]")).map(({ attributes }) => attributes);
    const intent = inputs.findIndex(({ name, value }) => name === "intent" && value === "aim.remove");
    expect(inputs[intent + 1]).toMatchObject({ name: "username", value: guest.username });
    const answer = await post(by, path, { intent: "aim.remove", username: guest.username });
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, path]);
    expect((await stored(guest))?.aim).toBe("");
    expect((await stored(host))?.aim).toBe("Host it");
    expect((await visit(by, path)).html).not.toContain("Two pages");
  }
  // An admin moderates the line of the host only through them.
  expect((await visit(admin, path)).html).not.toContain(`of ${host.username}`);
});

test("R-84 U-43 the page offers the ready mark, and Start Session glows, from ten minutes before a known start", async () => {
  const { host, guest, session } = await arriving();
  const path = `/sessions/${session.id}`;
  const glows = async () =>
    (await (await visit(host, path)).texts("button.is-main")).some((text) =>
      text.startsWith("Start Session"),
    );
  const offers = async (user: TestUser) =>
    (await (await visit(user, path)).texts("main button")).includes("I am ready");
  const shown = async () => [await glows(), await offers(host), await offers(guest)];
  const startsIn = (millis: number | null) =>
    setSession(session.id, {
      isManuallyStarted: millis === null,
      startedAt: millis === null ? null : at(millis),
      endedAt: millis === null ? null : at(millis + HOUR),
    });
  expect(await shown()).toEqual([true, true, true]);
  await startsIn(10 * MINUTE + 1000);
  expect(await shown()).toEqual([false, false, false]);
  await startsIn(10 * MINUTE);
  expect(await shown()).toEqual([true, true, true]);
  await startsIn(null);
  expect(await shown()).toEqual([true, true, true]);
});

test("R-84 without JavaScript the page has the form from ten minutes before the start, and a press saves the line", async () => {
  const { guest, session, stored } = await arriving();
  const page = await visit(guest, `/sessions/${session.id}`);
  expect(page.html).toContain("What will you do?");
  const answer = await post(guest, `/sessions/${session.id}`, { intent: "aim", aim: "Two pages" });
  expect(answer.status).toBe(302);
  expect((await stored(guest))?.aim).toBe("Two pages");
});
