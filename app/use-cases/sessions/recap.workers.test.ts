// The recap of a session that has closed: its plan and course, its people, and its files.
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, makeUsers, setUser, type TestUser, testApp } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { seated } from "#tests/support/guests";
import { propertySeed, runsOf } from "#tests/support/property-seed";
import { joinRoom, ROOM_NOW, useRoomClock } from "#tests/support/rooms";
import {
  attendanceRows,
  endSession,
  leave,
  makeSession,
  recapNow,
  runningSession,
  sayIn,
  sessionNow,
  setSession,
} from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { DAY, MINUTE, plusMillis } from "~/domain/time";
import { deleteDueAccounts } from "~/use-cases/delete-accounts.server";
import { deleteLog } from "~/use-cases/goals/log-moves.server";
import { storeQuickLog } from "~/use-cases/goals/logs.server";

const at = useRoomClock();
const event = (id: number, path: string) => `/challenge-events/${id}/${path}`;

keepBystanders();

test("G-32 the recap holds plan and course of the run, with pauses, added time, presence and lines", async () => {
  const { id, host, ben } = await runningSession();
  const socket = await joinRoom(ben, id);
  const part = (action: string) => callAs(host, "POST", event(id, `parts/p/${action}`), {});
  await part("start");
  at(ROOM_NOW + 2 * MINUTE);
  await part("pause");
  at(ROOM_NOW + 5 * MINUTE);
  await part("resume");
  await callAs(host, "POST", event(id, "parts/p/adjust"), { seconds: 120 });
  await sayIn(ben, id);
  at(ROOM_NOW + 20 * MINUTE);
  socket.socket.close();
  await socket.closed;
  at(ROOM_NOW + 25 * MINUTE);
  await endSession(host, id);
  expect(await recapNow(id)).toMatchObject({
    plannedStart: null,
    startedAt: ROOM_NOW,
    endedAt: ROOM_NOW + 25 * MINUTE,
    parts: [{ title: "Read", planned: 600, added: 120, paused: 3 * MINUTE }],
    people: [
      { userId: host.id, seconds: 0, hasCome: false },
      { userId: ben.id, seconds: 20 * 60, hasCome: true },
      { seconds: 0, hasCome: false },
    ],
    lines: 1,
  });
});

test("G-33 G-34 the page shows everybody to the host, a participant their own row, and strangers nothing", async () => {
  const { id, host, ben, cas } = await runningSession();
  const socket = await joinRoom(ben, id);
  await callAs(ben, "POST", event(id, "logs"), { title: "Pages", amount: 3 });
  at(ROOM_NOW + 20 * MINUTE);
  socket.socket.close();
  await socket.closed;
  expect((await visit(ben, `/sessions/${id}/recap`)).status).toBe(404);
  await endSession(host, id);
  const peopleOf = async (user: TestUser) =>
    (await visit(user, `/sessions/${id}/recap`)).texts('ul[aria-label="People"] li');
  expect(await peopleOf(host)).toEqual([
    `${host.username}Missed0s`,
    `${ben.username}Came20m`,
    `${cas.username}Missed0s`,
  ]);
  expect(await peopleOf(ben)).toEqual([`${ben.username}Came20m`]);
  const page = await visit(ben, `/sessions/${id}/recap`);
  expect(await page.texts("dd")).toContain("1 came, 2 missed it");
  expect(page.html).not.toContain("Download as CSV");
  const stranger = await makeUser();
  expect((await visit(stranger, `/sessions/${id}/recap`)).status).toBe(403);
  expect((await visit(null, `/sessions/${id}/recap`)).status).toBe(302);
  expect((await visit(host, `/sessions/${id}`)).html).toContain(`/sessions/${id}/recap`);
  for (const file of ["attendance.csv", "recap.csv", "recap.markdown"])
    expect([file, (await visit(ben, `/sessions/${id}/${file}`)).status]).toEqual([file, 403]);
  const csv = (await visit(host, `/sessions/${id}/attendance.csv`)).html;
  expect(csv).toBe(
    `username,came,seconds_present,name\r\n${host.username},no,0,${host.username}\r\n${ben.username},yes,1200,${ben.username}\r\n${cas.username},no,0,${cas.username}\r\n`,
  );
  expect((await visit(host, `/sessions/${id}/recap.csv`)).html).toContain("part,Read,600");
  expect((await visit(host, `/sessions/${id}/recap.markdown`)).html).toContain(
    `| ${ben.username} | yes | 1200 |`,
  );
});

test("H-23 the Markdown of a recap names a guest as people read it", async () => {
  const { id, host, ben } = await runningSession();
  await setSession(id, { guestLimit: 3 });
  await seated(`/sessions/${id}`, "Quill");
  at(ROOM_NOW + 10 * MINUTE);
  await endSession(host, id);
  const { html } = await visit(host, `/sessions/${id}/recap.markdown`);
  expect(html).toContain("| Quill (guest) |");
  expect(html).toContain(`| ${ben.username} |`);
});

test("H-23 R-66 pages and files name a guest as typed, then as the host has renamed them, also once they have left", async () => {
  at(ROOM_NOW);
  const host = await makeUser({ tokens: 5000 });
  const { id, slug, path } = await makeSession(host, {
    parts: [{ uuid: "g", auto_start: 0, parts: [{ uuid: "t", duration: 300, edit_content: 1 }] }],
    tasks: [{ title: "Pages", amount: 10 }],
  });
  await setSession(id, { guestLimit: 5 });
  const guests = [await seated(path, "Rudeword"), await seated(path, "Мария")] as const;
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  await callAs(host, "POST", `/challenge-events/${id}/parts/t/start`, {});
  for (const guest of guests) {
    const given = { contribution: `By ${guest.id}.` };
    expect((await callAs(guest, "PUT", `/challenges/${slug}/contribute-content`, given)).status).toBe(200);
    const logged = await callAs(guest, "POST", `/challenge-events/${id}/logs`, { title: "Pages", amount: 2 });
    expect(logged.status).toBe(201);
  }
  const namedOn = async (tabs: Record<string, string>, names: readonly string[]) => {
    for (const [tab, selector] of Object.entries(tabs)) {
      const page = await visit(host, `${path}${tab}`);
      const shown = selector === "" ? page.html : (await page.texts(`main ${selector}`)).join(" ");
      for (const name of names) expect([tab, shown]).toEqual([tab, expect.stringContaining(name)]);
      expect([tab, /Rudeword|guest \(guest\)/.test(shown) && !names.includes("Rudeword (guest)")]).toEqual([
        tab,
        false,
      ]);
    }
  };
  const running = {
    "": "ol[aria-label=Contributions]",
    "#": ".progress-line",
    "/logs": "ul",
    "/member-goals": "ul[aria-label=Members]",
  };
  await namedOn(running, ["Rudeword (guest)", "Мария (guest)"]);
  const form = { intent: "guest.rename", username: guests[0].username, name: "Ann" };
  expect((await post(host, `${path}/people`, form)).status).toBe(302);
  await namedOn(running, ["Ann (guest)", "Мария (guest)"]);
  expect((await leave(guests[0], id)).status).toBe(200);
  const { "/member-goals": _, ...ofAuthors } = running;
  await namedOn(ofAuthors, ["Ann (guest)", "Мария (guest)"]);
  at(ROOM_NOW + 10 * MINUTE);
  await endSession(host, id);
  await namedOn({ "/recap": "ol[aria-label=Contributions]" }, ["Ann (guest)", "Мария (guest)"]);
  await namedOn({ "/recap": "ul[aria-label=People]" }, ["Мария (guest)"]);
  for (const file of ["recap.csv", "attendance.csv"]) {
    const lines = (await visit(host, `${path}/${file}`)).html.split("\r\n");
    const line = lines.find((one) => one.replace("person,", "").startsWith(`${guests[1].username},`));
    expect([file, line?.split(",").at(-1)]).toEqual([file, "Мария (guest)"]);
    expect(lines.filter((one) => one.endsWith("Rudeword (guest)"))).toEqual([]);
  }
  await namedOn({ "/recap.markdown": "" }, ["Ann (guest):", "| Мария (guest) |"]);
});

test("R-49 U-39 after an early end page, recap and My Sessions name the same end, length and people", async () => {
  const { id, host, ben, cas } = await runningSession();
  await joinRoom(ben, id);
  at(ROOM_NOW + MINUTE);
  await leave(cas, id);
  at(ROOM_NOW + 20 * MINUTE);
  await endSession(host, id);
  const page = await visit(ben, `/sessions/${id}`);
  const facts = (await page.texts("main li")).join(" | ");
  expect(facts).toContain("1 came");
  expect(await page.texts("h2")).toContain("Participants");
  expect(facts).toContain("20 minutes in all");
  expect(await (await visit(ben, `/sessions/${id}/recap`)).texts("dd")).toContain("1 came, 2 missed it");
  const rows = await (await visit(ben, "/my/sessions")).texts("main li");
  const row = rows.find((one) => /came|taking part/.test(one));
  const to = new Date(ROOM_NOW + 20 * MINUTE).toISOString().slice(11, 16);
  expect(row).toContain(to);
  expect(row).toContain("20m");
  expect(row).toContain("1 came");
});

test("U-39 G-33 G-34 a session, its recap and the Markdown of it list timers by that name", async () => {
  const { id, host } = await runningSession();
  at(ROOM_NOW + 20 * MINUTE);
  await endSession(host, id);
  for (const page of ["", "/recap"])
    expect(await (await visit(host, `/sessions/${id}${page}`)).texts("h2")).toContain("Timers");
  expect((await visit(host, `/sessions/${id}/recap.markdown`)).html).toContain("## Timers");
});

test("G-34 the Markdown of a recap gives the totals of each goal, durations in seconds", async () => {
  const { id, host } = await runningSession({ tasks: [{ title: "Rest", duration: 3600 }] });
  const [goal] = (await dataOf(host, `/api/sessions/${id}`)).goals;
  await callAs(host, "POST", event(id, "logs"), { task_uuid: goal.uuid, duration: 1500 });
  at(ROOM_NOW + 20 * MINUTE);
  await endSession(host, id);
  const { html } = await visit(host, `/sessions/${id}/recap.markdown`);
  expect(html).toMatch(/^\| Rest \|.*\| 1500 \|$/m);
});

test("G-33 a person who gave up the seat after the start still reads the recap", async () => {
  const again = await runningSession();
  await callAs(again.ben, "POST", `/api/challenge-events/${again.id}/leave`, {});
  at(ROOM_NOW + 10 * MINUTE);
  await endSession(again.host, again.id);
  expect((await visit(again.ben, `/sessions/${again.id}/recap`)).status).toBe(200);
});

test("Q-41 G-33 the recap names a deleted account that gave up its seat deleted.{id}, before its room is erased", async () => {
  const { id, host, ben, cas } = await runningSession();
  for (const user of [ben, cas]) await leave(user, id);
  at(ROOM_NOW + 10 * MINUTE);
  await endSession(host, id);
  const pages = async () =>
    await Promise.all(
      ["recap", "attendance.csv", "recap.csv", "recap.markdown"].map(
        async (page) => (await visit(host, `/sessions/${id}/${page}`)).html,
      ),
    );
  for (const page of await pages()) expect(page).toContain(ben.username);
  await setUser(ben.id, { deletionDueAt: ROOM_NOW });
  await deleteDueAccounts(await testApp({ now: plusMillis(ROOM_NOW, 10 * MINUTE) }));
  for (const page of await pages()) {
    expect(page).not.toContain(ben.username);
    expect(page.replaceAll("\\", "")).toContain(`deleted.${ben.id}`);
    expect(page).toContain(cas.username);
  }
  // An account that is claimed, with its erasure still to come.
  await setUser(cas.id, { email: `deleted.${cas.id}@deleted.invalid` });
  for (const page of await pages()) {
    expect(page).not.toContain(cas.username);
    expect(page.replaceAll("\\", "")).toContain(`deleted.${cas.id}`);
  }
});

test("G-32 a session that never ran, or was cancelled, has neither recap nor attendance", async () => {
  const host = await makeUser();
  const { id } = await makeSession(host, { duration: 3600 });
  await endSession(host, id);
  expect([await recapNow(id), await attendanceRows(id)]).toEqual([null, []]);
});

test("G-33 G-01 the recap shows the viewer's own logs of the hour, and repeats a session started by hand next week", async () => {
  const { id, host, ben } = await runningSession();
  const [mine, other] = [
    await makeGoal(ben, { title: "Pages of mine", unit: "pages" }),
    await makeGoal(host),
  ];
  const log = async (user: TestUser, goalId: number, after: number) =>
    storeQuickLog(
      { ...(await appOf(user, ROOM_NOW)), now: plusMillis(ROOM_NOW, after) },
      { goalId, amount: 3000 },
    );
  await log(ben, mine.id, -MINUTE);
  await log(ben, mine.id, 2 * MINUTE);
  await log(host, other.id, 3 * MINUTE);
  at(ROOM_NOW + 10 * MINUTE);
  await endSession(host, id);
  await log(ben, mine.id, 11 * MINUTE);
  const page = await visit(ben, `/sessions/${id}/recap`);
  const lines = await page.texts('ul[aria-label="Your logs"] li');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("Pages of mine");
  expect(lines[0]).toContain("3 pages");
  // The log on a goal of a session that was deleted.
  const kept = { goalId: null, sessionGoalUuid: crypto.randomUUID(), title: "Read (pages)" };
  await db.update(schema.logs).set(kept).where(eq(schema.logs.goalId, mine.id));
  const [keptLine] = await (await visit(ben, `/sessions/${id}/recap`)).texts('ul[aria-label="Your logs"] li');
  expect(keptLine).toMatch(/^Read \(pages\)Do 3/);
  expect(page.html).not.toContain("Again next week");
  expect((await visit(host, `/sessions/${id}/recap`)).html).toContain("Again next week");
  const fields = await (await visit(host, `/sessions/${id}/recap`)).all('input[name="isNextWeek"]');
  expect(fields.map(({ attributes }) => attributes.value)).toEqual(["1"]);
  const again = await post(host, `/sessions/${id}`, { intent: "repeat", isNextWeek: "1" });
  const made = Number(/sessions\/(\d+)/.exec(again.headers.get("Location") ?? "")?.[1]);
  const began = Number((await sessionNow(id))?.startedAt);
  expect(await sessionNow(made)).toMatchObject({ isManuallyStarted: false, startedAt: began + 7 * DAY });
});

/** A numbered stream below `below`, from a seed. */
function drawn(seed: number) {
  let state = seed >>> 0 || 1;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test("G-32 the totals of random logs equal a recomputation from the logs, and the totals follow a log that is deleted later (R-90)", async () => {
  for (let run = 0; run < runsOf(100, 2); run++) {
    at(ROOM_NOW);
    const seed = propertySeed + run;
    const draw = drawn(seed);
    const people = await makeUsers(3);
    const [host] = people;
    const { id } = await makeSession(host, {
      duration: 3600,
      tasks: [
        { title: "Read", unit: "pages", amount: 9 },
        { title: "Run", distance: 5 },
        { title: "Rest", duration: 600 },
      ],
    });
    for (const user of people.slice(1)) await callAs(user, "POST", event(id, "join"), {});
    await callAs(host, "POST", event(id, "start"), {});
    const goals: { uuid: string }[] = (await dataOf(host, `/api/sessions/${id}`)).goals;
    for (let n = draw(8); n >= 0; n--) {
      const uuid = goals[draw(3)]?.uuid;
      const amounts = { amount: draw(90) / 10, distance: draw(50) / 10, duration: draw(900) };
      await callAs(people[draw(3)] ?? null, "POST", event(id, "logs"), { task_uuid: uuid, ...amounts });
    }
    at(ROOM_NOW + 10 * MINUTE);
    await endSession(host, id);
    const rows = await db.select().from(schema.logs).where(eq(schema.logs.sessionId, id));
    const sumOf = (uuid: string, of: "amount" | "distance" | "duration") =>
      rows
        .filter(({ sessionGoalUuid }) => sessionGoalUuid === uuid)
        .reduce((sum, row) => sum + (row[of] ?? 0), 0);
    const recompute = () =>
      goals.map(({ uuid }) => [
        sumOf(uuid, "amount"),
        sumOf(uuid, "distance"),
        1000 * sumOf(uuid, "duration"),
      ]);
    const stored = async () =>
      (await recapNow(id))?.goals.map(({ amount, distance, duration }) => [amount, distance, duration]);
    expect([seed, await stored()]).toEqual([seed, recompute()]);
    const [first] = rows;
    const owner = people.find((user) => user.id === first?.userId);
    if (!first || !owner) throw new Error("no log");
    await deleteLog(await appOf(owner, ROOM_NOW), { log: first.id });
    rows.splice(0, 1);
    expect([seed, await stored()]).toEqual([seed, recompute()]);
  }
}, 600_000);

test("G-32 R-07 a reset drops recap and attendance, and the next run keeps only its own people", async () => {
  const { id, host, ben, cas } = await runningSession();
  await leave(cas, id);
  at(ROOM_NOW + 10 * MINUTE);
  await endSession(host, id);
  expect((await attendanceRows(id)).map(([userId]) => userId)).toEqual([host.id, ben.id, cas.id]);
  const superAdmin = await makeUser({ roleId: 10 });
  const { slug } = (await sessionNow(id)) ?? {};
  expect((await callAs(superAdmin, "POST", `/challenges/${slug}/reset`, {})).status).toBe(200);
  expect([await recapNow(id), await attendanceRows(id)]).toEqual([null, []]);
  at(ROOM_NOW + 11 * MINUTE);
  await callAs(host, "POST", event(id, "start"), {});
  at(ROOM_NOW + 20 * MINUTE);
  await endSession(host, id);
  expect((await attendanceRows(id)).map(([userId]) => userId)).toEqual([host.id, ben.id]);
});

test("C-71 R-90 goals renamed with a session that has closed are renamed in its recap, in no other", async () => {
  const closed = async () => {
    at(ROOM_NOW);
    const { host, id } = await runningSession({ tasks: [{ title: "Said by Tom" }] });
    at(ROOM_NOW + MINUTE);
    await endSession(host, id);
    return { host, id };
  };
  const [{ host, id }, beside] = [await closed(), await closed()];
  const titlesOf = async (session: number) => (await recapNow(session))?.goals.map(({ title }) => title);
  expect(await titlesOf(id)).toEqual(["Said by Tom"]);
  const [{ uuid }] = (await dataOf(host, `/api/sessions/${id}/goals`)).goals;
  const tasks = [{ uuid, title: "Read aloud" }, { title: "Sung" }];
  expect((await callAs(host, "PATCH", event(id, "patch"), { challenge: { tasks } })).status).toBe(200);
  expect([await titlesOf(id), await titlesOf(beside.id)]).toEqual([["Read aloud", "Sung"], ["Said by Tom"]]);
});
