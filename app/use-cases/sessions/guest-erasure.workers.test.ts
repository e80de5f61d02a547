// A day after its session a guest's name is nowhere but in the text of a report (H-21).
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { db, makeUser, type TestUser, testApp } from "#tests/support/factories";
import { seated } from "#tests/support/guests";
import { passNight } from "#tests/support/nights";
import { stubOf } from "#tests/support/rooms";
import { restSeries } from "#tests/support/series";
import { balanceOf, makeSession, sayIn, seatsOf, setSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { instant } from "~/domain/time";
import { eraseGuests } from "~/use-cases/erase-guests.server";

beforeEach(restSeries);

/** A session of a rich host that takes guests. */
async function openHouse(over: { guests?: number; tokens?: number } = {}, session: object = {}) {
  const host = await makeUser({ tokens: over.tokens ?? 5000 });
  const made = await makeSession(host, session as Record<string, unknown>);
  await setSession(made.id, { guestLimit: over.guests ?? 5 });
  return { host, ...made, paid: await balanceOf(host) };
}

test("H-21 Q-30 a day after the session reports, decisions, notices and audit rows about a guest have a number and no name", async () => {
  const { host, path, id } = await openHouse();
  const root = await makeUser({ roleId: 10 });
  const NAME = "Thistledown";
  const guest = await seated(path, NAME);
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  await callAs(guest, "POST", `/challenge-events/${id}/aim`, { aim: "Rude aim" });
  const said = await sayIn(guest, id, "A rude line");
  const aimOf = async () => (await seatsOf(id)).find(({ userId }) => userId === guest.id)?.aim;
  expect(await aimOf()).toBe("Rude aim");
  const report = async (kind: string, reported: string) => {
    const page = await visit(host, `/account/report/${kind}/${reported}`);
    expect([kind, page.status]).toEqual([kind, 200]);
    const answer = await callAs(host, "POST", "/api/reports", { kind, id: reported, reason: "spam" });
    expect([kind, answer.status]).toEqual([kind, 201]);
    const [row] = await db
      .select()
      .from(schema.reports)
      .where(eq(schema.reports.kind, kind as "aim"));
    return row?.targetId ?? "";
  };
  const decide = (kind: string, reported: string, act: string) =>
    post(root, "/admin/reports", { intent: "decide", kind, id: reported, act, reason: "Insults" });
  const person = await report("person", guest.username);
  expect((await decide("person", person, "dismiss")).status).toBe(302);
  expect((await decide("aim", await report("aim", `${id}:${guest.username}`), "remove")).status).toBe(302);
  expect(await aimOf()).toBe("");
  const line = await report("message", `${id}:${said.body.message.seq}`);
  expect((await decide("message", line, "mute")).status).toBe(302);
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  await eraseGuests(await testApp({ now: await passNight(instant(Date.now() + 25 * 3_600_000)) }));
  const tables = ["reports", "decisions", "notices", "deliveries", "audit", "repeated_requests"];
  const left = await Promise.all(
    tables.map(async (table) => {
      const { results } = await env.DB.prepare(`SELECT * FROM "${table}"`).all();
      return JSON.stringify(results).includes(NAME) ? table : null;
    }),
  );
  expect(left.filter(Boolean)).toEqual([]);
  // Nothing of a guest who has gone can be reported.
  const gone = { kind: "person", id: `~guest.${guest.id}`, reason: "spam" };
  expect((await callAs(host, "POST", "/api/reports", gone)).status).toBe(404);
});

test("H-21 Q-30 the erasure replaces the name of a guest that an earlier version stored in reports, decisions and notices, and no other guest's", async () => {
  const { host, path, id } = await openHouse();
  const [root, member] = [await makeUser({ roleId: 10 }), await makeUser()];
  const [guest, other] = [
    await seated(path, "Thistledown"),
    await seated((await openHouse()).path, "Bramblewick"),
  ];
  const personOf = async (userId: number) =>
    (await db.select().from(schema.persons).where(eq(schema.persons.userId, userId)))[0]?.id;
  let rows = 0;
  const number = await personOf(guest.id);
  const store = async ({ id: authorId, username }: TestUser, reporter: TestUser, updatedAt = 1) => {
    const stored = { authorName: "~guest.0", snapshot: "", reason: "spam" as const };
    const at = { createdAt: instant(1), updatedAt: instant(updatedAt), reporterId: reporter.id, authorId };
    const targets = [
      { kind: "person" as const, targetId: username, path: `/${username}` },
      { kind: "aim" as const, targetId: `${id}:${username}`, path },
    ];
    for (const target of targets) {
      await db.insert(schema.reports).values({ ...stored, ...at, ...target });
      await db.insert(schema.notices).values({
        ...{ userId: reporter.id, id: `n-${rows++}`, kind: "report-closed", at: instant(1) },
        ...{ subject: `report:${target.kind}:${target.targetId}`, others: [] },
        body: { outcome: "No rule was broken.", path: target.path },
      });
      if (reporter === host)
        await db.insert(schema.decisions).values({
          ...{ ...stored, ...target, tokenHash: `d-${rows++}`, userId: authorId },
          ...{ act: "mute", decidedAt: instant(1) },
        });
    }
  };
  for (const reporter of [host, member]) {
    await store(other, reporter);
    await store(guest, reporter);
  }
  // This guest had another name when the host reported them first.
  await store({ ...guest, username: "~Thistledown-2" }, host, 2);
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  await eraseGuests(await testApp({ now: await passNight(instant(Date.now() + 25 * 3_600_000)) }));
  const targetsOf = async (authorId: number) =>
    (await db.select().from(schema.reports)).filter((row) => row.authorId === authorId);
  const ids = [`${id}:~person.${number}`, `~person.${number}`];
  for (const reporter of [host, member]) {
    const own = (await targetsOf(guest.id)).filter(({ reporterId }) => reporterId === reporter.id);
    expect(own.map(({ targetId }) => targetId).sort()).toEqual(ids);
    expect(own.map((row) => row.path)).toEqual(own.map(() => `/sessions/${id}`));
  }
  const decide = { intent: "decide", kind: "person", act: "dismiss", reason: "Nothing" };
  expect((await post(root, "/admin/reports", { ...decide, id: `~person.${number}` })).status).toBe(302);
  const untouched = [other.username, `${id}:${other.username}`];
  expect([...new Set((await targetsOf(other.id)).map(({ targetId }) => targetId))].sort()).toEqual(
    untouched.sort(),
  );
  const tables = ["reports", "decisions", "notices", "events", "audit"];
  const left = await Promise.all(
    tables.map(async (table) => {
      const { results } = await env.DB.prepare(`SELECT * FROM "${table}"`).all();
      return /Thistledown/.test(JSON.stringify(results)) ? table : null;
    }),
  );
  expect(left.filter(Boolean)).toEqual([]);
  const subjects = (await db.select().from(schema.notices)).filter(({ id: notice }) =>
    notice.startsWith("n-"),
  );
  expect([...new Set(subjects.map(({ subject }) => subject))].sort()).toEqual(
    [...ids, ...untouched]
      .map((target) => `report:${target.includes(":") ? "aim" : "person"}:${target}`)
      .sort(),
  );
  const pathsOf = (name: string) =>
    subjects.flatMap(({ subject, body }) =>
      subject.includes(name) ? [(body as { path: string }).path] : [],
    );
  expect(pathsOf("~person.").every((found) => found === `/sessions/${id}`)).toBe(true);
  expect(pathsOf(`person:${other.username}`)).toEqual([`/${other.username}`, `/${other.username}`]);
});

test("H-21 a day after the session no byte of a guest's name is left but in the text of a report", async () => {
  const { host, path, id } = await openHouse();
  const NAME = "Quillon";
  const guest = await seated(path, NAME);
  await callAs(host, "POST", `/challenge-events/${id}/start`, {});
  const said = await sayIn(guest, id, "Secretword is my word");
  await callAs(guest, "POST", `/challenge-events/${id}/logs`, { title: "Secretword log", amount: 2 });
  await callAs(guest, "POST", `/challenge-events/${id}/aim`, { aim: "Secretword aim" });
  await callAs(host, "POST", "/api/reports", {
    kind: "message",
    id: `${id}:${said.body.message.seq}`,
    reason: "spam",
  });
  await callAs(host, "POST", `/challenge-events/${id}/end`, {});
  const night = await passNight(instant(Date.now() + 25 * 3_600_000));
  await eraseGuests(await testApp({ now: night }));
  const tables = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE '%\\_config' ESCAPE '\\'",
  ).all<{ name: string }>();
  const left: string[] = [];
  for (const { name } of tables.results.filter(
    ({ name }) => !name.startsWith("_") && !name.startsWith("sqlite_"),
  )) {
    const rows = await env.DB.prepare(`SELECT * FROM "${name}"`).all();
    const text = JSON.stringify(rows.results);
    if (text.includes(NAME)) left.push(`${name}: the name`);
    if (text.includes("Secretword")) left.push(`${name}: the words`);
  }
  expect(left).toEqual(["reports: the words"]);
  const stored = await runInDurableObject(stubOf(id), (_, { storage }) => {
    const names = storage.sql.exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
    );
    return JSON.stringify(
      names.toArray().map(({ name }) => storage.sql.exec(`SELECT * FROM "${name}"`).toArray()),
    );
  });
  const copies = await Promise.all(
    (await env.COPIES.list()).objects.map(async ({ key }) => (await env.COPIES.get(key))?.text() ?? ""),
  );
  expect(stored.length).toBeGreaterThan(200);
  for (const text of [stored, ...copies]) {
    expect(text).not.toContain(NAME);
    expect(text).not.toContain("Secretword");
  }
  const chat = await callAs(host, "GET", `/api/sessions/${id}/chat`);
  expect(JSON.stringify(chat.body)).not.toContain(NAME);
  expect(JSON.stringify(chat.body)).not.toContain("Secretword");
  expect((await visit(host, `${path}/recap`)).html).not.toContain(NAME);
  const seat = (await seatsOf(id)).find(({ userId }) => userId === guest.id);
  expect(seat?.username).toBe(`~guest.${guest.id}`);
  expect((await visit(guest, path)).html).not.toContain(NAME);
});
