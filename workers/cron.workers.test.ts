// Cron: every run logs its result and is idempotent, and a failed job stops no other.
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect, schema } from "#db/connect.server";
import { deleteUploadsNotShown } from "#db/queries/upkeep";
import { callAs } from "#tests/support/ask";
import { appOf, db, makeUser, NOW, testApp } from "#tests/support/factories";
import { failingD1 } from "#tests/support/failing-d1";
import { makeGoal } from "#tests/support/goals";
import { makeSession, setSession } from "#tests/support/sessions";
import { DAY, instant, MINUTE } from "~/domain/time";
import { storeQuickLog } from "~/use-cases/goals/logs.server";
import { createNote } from "~/use-cases/goals/notes.server";
import type { Room } from "~/use-cases/ports.server";
import { deleteOrphanedUploads, deleteUnusedUploads, wakeRooms } from "~/use-cases/upkeep.server";
import { runCron } from "./cron";

const run = (cron: string, now: number) =>
  runCron({ cron, scheduledTime: now }, env, createExecutionContext());

test("X-07 X-10 cron deletes expired rows and keeps all others, and a second run changes nothing", async () => {
  const user = await makeUser();
  const request = (key: string, at: number) =>
    db
      .insert(schema.repeatedRequests)
      .values({ userId: user.id, key, call: "POST /x", createdAt: instant(at) });
  await request("old", NOW - DAY - 1);
  await request("new", NOW - DAY + 1000);
  await db.insert(schema.logins).values({
    tokenHash: "gone",
    userId: user.id,
    createdAt: NOW,
    lastSeenAt: NOW,
    expiresAt: instant(NOW - 1),
  });
  const mailed = { recipient: user.email, html: "", text: "" };
  await db.insert(schema.mailbox).values([
    { ...mailed, subject: "old", sentAt: instant(NOW - 30 * DAY - 1) },
    { ...mailed, subject: "new", sentAt: instant(NOW - 30 * DAY) },
  ]);
  for (let i = 0; i < 2; i++) {
    expect(await run("17 3 * * *", NOW)).toMatchObject([
      { event: "cron", job: "tidy-up", ok: true },
      { event: "cron", job: "seal-again", ok: true },
      { event: "cron", job: "warn-of-ending-keys", ok: true, did: { warned: 0 } },
      { event: "cron", job: "delete-accounts", ok: true, did: { deleted: 0, failed: 0 } },
      { event: "cron", job: "lay-out-series", ok: true, did: { created: 0, failed: 0 } },
      { event: "cron", job: "erase-chats", ok: true, did: { erased: 0, failed: 0 } },
      { event: "cron", job: "delete-unused-uploads", ok: true, did: { deleted: 0 } },
      { event: "cron", job: "delete-orphaned-uploads", ok: true, did: { deleted: 0 } },
    ]);
    expect((await db.select().from(schema.repeatedRequests)).map((row) => row.key)).toEqual(["new"]);
    expect((await db.select().from(schema.logins)).map((row) => row.tokenHash)).not.toContain("gone");
    expect((await db.select().from(schema.mailbox)).map((row) => row.subject)).toEqual(["new"]);
  }
});

test("B-18 the five-minute run reads the rooms and the provider, and logs both", async () => {
  expect(await run("*/5 * * * *", NOW)).toMatchObject([
    { job: "wake-rooms", ok: true, did: { failed: 0 } },
    { job: "renew-subscriptions", ok: true, did: { asked: 0, renewed: 0, failed: 0 } },
    { job: "credit-paid-purchases", ok: true, did: { asked: 0, credited: 0, failed: 0 } },
    { job: "catch-up-with-provider", ok: true, did: { asked: 0, settled: 0, failed: 0 } },
    { job: "copy-chats", ok: true, did: { copied: 0, failed: 0 } },
    { job: "render-again", ok: true, did: { failed: 0 } },
    { job: "erase-guests", ok: true, did: { erased: 0, failed: 0 } },
  ]);
});

test("B-18 the job that wakes rooms counts a room that fails as failed", async () => {
  const { id } = await makeSession(await makeUser(), {
    is_manually_started: 0,
    started_at: new Date(Date.now() + 5 * MINUTE).toISOString(),
  });
  const app = await testApp({ now: instant(Date.now()) });
  const of = (session: number): Room =>
    session === id
      ? { ...app.rooms.of(id), refresh: () => Promise.reject(new Error("down")) }
      : app.rooms.of(session);
  expect(await wakeRooms({ ...app, rooms: { ...app.rooms, of } })).toEqual({ woken: 0, failed: 1 });
});

const SIZE = { type: "image/png", bytes: 5, width: 1, height: 1 };
const keyOf = (n: number) => `${n.toString(16).padStart(3, "0")}${"0".repeat(37)}.png`;
const stored = async () => (await env.UPLOADS.list()).objects.map(({ key }) => key);
const empty = async () => {
  await env.UPLOADS.delete(await stored());
  await db.batch([db.delete(schema.uploads), db.delete(schema.cronMarks)]);
};

test("D-07 images without a row are deleted after a day, a few each run, and images with a row stay", async () => {
  await empty();
  const user = await makeUser();
  const keys = Array.from({ length: 25 }, (_, n) => keyOf(n));
  for (const key of keys) await env.UPLOADS.put(key, "image");
  const [kept = "", uploadedAt] = [keys[7], (await env.UPLOADS.head(keyOf(0)))?.uploaded.getTime() ?? 0];
  await db.insert(schema.uploads).values({ key: kept, userId: user.id, createdAt: NOW, ...SIZE });
  const runAt = async (now: number) => deleteOrphanedUploads(await testApp({ now: instant(now) }), 10);
  // All images are recent: three runs read every page, and the fourth starts over.
  for (const looked of [10, 10, 5, 10])
    expect(await runAt(uploadedAt + DAY / 2)).toEqual({ looked, deleted: 0 });
  await db.delete(schema.cronMarks);
  const later = uploadedAt + 2 * DAY;
  for (const did of [
    { looked: 10, deleted: 9 },
    { looked: 10, deleted: 10 },
    { looked: 5, deleted: 5 },
  ])
    expect(await runAt(later)).toEqual(did);
  expect(await stored()).toEqual([kept]);
  expect(await runAt(later)).toEqual({ looked: 1, deleted: 0 });
});

test("D-07 an image that no text shows is deleted with its row after two months, and a shown image stays", async () => {
  await empty();
  const user = await makeUser();
  const session = await makeSession(user);
  const goal = await makeGoal(user);
  const keys = Array.from({ length: 10 }, (_, n) => keyOf(n));
  const [unused = "", young = "", ...shown] = keys;
  for (const key of keys) {
    await env.UPLOADS.put(key, "image");
    const createdAt = key === young ? instant(NOW + 30 * DAY) : NOW;
    await db.insert(schema.uploads).values({ key, userId: user.id, createdAt, ...SIZE });
  }
  const image = (n: number) => `Look: ![](/uploads/${shown[n]}#size=1x1)`;
  const app = await appOf(user);
  await createNote(app, { title: "A note", content: image(0), goalId: undefined });
  await createNote(app, { title: "A plain text", todo: image(1), goalId: undefined });
  await storeQuickLog(app, { goalId: goal.id, content: image(2) });
  await callAs(user, "POST", "/items", { itemData: { title: "An item", content: image(3) } });
  await setSession(session.id, { content: image(4) });
  await db
    .update(schema.goals)
    .set({
      link: `/uploads/${shown[5]}`,
      items: [{ uuid: "a", title: "Read it", link: `/uploads/${shown[6]}`, isChecked: false }] as never,
      quickLogButtons: [{ title: "Page", content: image(7) }] as never,
    })
    .where(eq(schema.goals.id, goal.id));
  const runAt = async (days: number, limit?: number) =>
    deleteUnusedUploads(await testApp({ now: instant(NOW + days * DAY) }), limit);
  expect(await runAt(59)).toEqual({ looked: 10, deleted: 0 });
  // Each run continues after the last row of the previous run.
  expect([await runAt(61, 3), await runAt(61, 3), await runAt(61, 3)]).toEqual([
    { looked: 3, deleted: 1 },
    { looked: 3, deleted: 0 },
    { looked: 3, deleted: 0 },
  ]);
  expect(await runAt(61, 3)).toEqual({ looked: 1, deleted: 0 });
  expect(await stored()).toEqual(keys.filter((key) => key !== unused));
  expect(await runAt(61)).toEqual({ looked: 9, deleted: 0 });
  await db.update(schema.goals).set({ items: [], quickLogButtons: [] }).where(eq(schema.goals.id, goal.id));
  expect(await runAt(61)).toEqual({ looked: 9, deleted: 2 });
  await db.delete(schema.notes).where(eq(schema.notes.userId, user.id));
  expect(await runAt(61)).toEqual({ looked: 7, deleted: 2 });
  // The query reads only rows that show an image.
  const plan = await env.DB.prepare(
    `EXPLAIN QUERY PLAN ${deleteUploadsNotShown(db, keys).toSQL().sql.replaceAll("?", "'[]'")}`,
  ).all<{ detail: string }>();
  const scans = plan.results
    .map(({ detail }) => detail)
    .filter((line) => /SCAN (?!.*(asked|json_each|VIRTUAL))/.test(line));
  expect(scans.length).toBeGreaterThan(0);
  expect(scans.every((line) => line.includes("_with_uploads"))).toBe(true);
});

test("D-07 X-10 a database failure at any statement loses no shown image, and the next run continues", async () => {
  for (const job of [deleteUnusedUploads, deleteOrphanedUploads])
    for (const when of ["before", "after"] as const)
      for (let at = 1; ; at++) {
        await empty();
        const user = await makeUser();
        const [unused, used] = [keyOf(1), keyOf(2)];
        for (const key of [unused, used]) await env.UPLOADS.put(key, "image");
        const rows = job === deleteUnusedUploads ? [unused, used] : [used];
        for (const key of rows)
          await db.insert(schema.uploads).values({ key, userId: user.id, createdAt: NOW, ...SIZE });
        await createNote(await appOf(user), {
          title: "A",
          content: `![](/uploads/${used})`,
          goalId: undefined,
        });
        const now = instant(Date.now() + 90 * DAY);
        const { d1, counter } = failingD1(env.DB, { at, when });
        const app = await testApp({ now });
        await job({ ...app, db: connect(d1) }).catch(() => {});
        await deleteUnusedUploads(app);
        await deleteOrphanedUploads(app);
        expect(await stored(), `${job.name} ${when} ${at}`).toEqual([used]);
        if (!counter.hasFailed) break;
      }
});
