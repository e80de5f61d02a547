// Cron: every run says what it did, may be repeated, and one job that fails keeps no other from running.
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { connect, schema } from "#db/connect.server";
import { makeUser, NOW, testApp } from "#tests/support/factories";
import { DAY, instant } from "~/domain/time";
import { deleteOrphanedUploads } from "~/use-cases/upkeep.server";
import { runCron } from "./cron";

const db = connect(env.DB);
const run = (cron: string, now: number) =>
  runCron({ cron, scheduledTime: now }, env, createExecutionContext());

test("X-07 X-10 what has grown old is forgotten, what has not stays; a second run changes nothing", async () => {
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
  for (let i = 0; i < 2; i++) {
    expect(await run("17 3 * * *", NOW)).toMatchObject([
      { event: "cron", job: "tidy-up", ok: true },
      { event: "cron", job: "delete-accounts", ok: true, did: { deleted: 0, failed: 0 } },
      { event: "cron", job: "delete-orphaned-uploads", ok: true, did: { deleted: 0 } },
    ]);
    expect((await db.select().from(schema.repeatedRequests)).map((row) => row.key)).toEqual(["new"]);
    expect((await db.select().from(schema.logins)).map((row) => row.tokenHash)).not.toContain("gone");
  }
});

test("B-18 the five-minute run asks the rooms and the provider, and says so", async () => {
  expect(await run("*/5 * * * *", NOW)).toMatchObject([
    { job: "wake-rooms", ok: true, did: { failed: 0 } },
    { job: "renew-subscriptions", ok: true, did: { asked: 0, renewed: 0, failed: 0 } },
  ]);
});

test("D-07 an image without a row goes after a day; one with a row and a fresh one stay; twice is as once", async () => {
  const user = await makeUser();
  const [lost, kept] = [`a${"0".repeat(39)}.png`, `a${"1".repeat(39)}.png`];
  for (const key of [lost, kept]) await env.UPLOADS.put(key, "image");
  const size = { type: "image/png", bytes: 5, width: 1, height: 1 };
  await db.insert(schema.uploads).values({ key: kept, userId: user.id, createdAt: NOW, ...size });
  const there = async () => (await env.UPLOADS.list({ prefix: "a" })).objects.map(({ key }) => key);
  const stored = (await env.UPLOADS.head(lost))?.uploaded.getTime() ?? 0;
  const young = { ...(await testApp({ now: instant(10 * DAY) })) };
  await deleteOrphanedUploads(young);
  expect(await there()).toEqual([lost, kept]);
  let deleted = 0;
  for (let round = 0; round < 2; round++)
    for (let day = 2; day < 18; day++)
      deleted += (await deleteOrphanedUploads(await testApp({ now: instant(stored + day * DAY) }))).deleted;
  expect(deleted).toBe(1);
  expect(await there()).toEqual([kept]);
});
