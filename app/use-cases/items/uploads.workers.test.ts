// The space that an account's images may take (D-06).
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { connect, schema } from "#db/connect.server";
import { countingD1 } from "#tests/support/counting-d1";
import { appOf, db, makeUser, type TestUser } from "#tests/support/factories";
import { visit } from "#tests/support/visit";
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_BYTES_A_DAY, SMALLEST_COUNTED } from "~/domain/items/images";
import { DAY, instant } from "~/domain/time";
import { uploadImage } from "./uploads.server";

const NOW = instant(Date.UTC(2026, 10, 20, 9));
const PNG = Uint8Array.from(
  atob(
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAIAAABxZ0isAAAAEklEQVR4nGNgsFqBFTEMKQkAgHkdiRAmJbUAAAAASUVORK5CYII=",
  ),
  (letter) => letter.charCodeAt(0),
);
const upload = async (user: TestUser, now = NOW) =>
  uploadImage(await appOf(user, now), { name: "hut.png", bytes: PNG.slice().buffer });

let count = 0;
const stored = (user: TestUser, bytes: number, createdAt: number) =>
  db.insert(schema.uploads).values({
    key: `${count++}`,
    userId: user.id,
    type: "image/png",
    bytes,
    width: 8,
    height: 6,
    createdAt: instant(createdAt),
  });
const keptOf = async () => (await env.UPLOADS.list()).objects.length;

let user: TestUser;
beforeEach(async () => {
  user = await makeUser();
});

test("D-06 an account uploads at most 100 MB in 24 hours, and reads when it may go on", async () => {
  await stored(user, MAX_UPLOAD_BYTES_A_DAY - SMALLEST_COUNTED, NOW - DAY + 60_000);
  await stored(await makeUser(), MAX_UPLOAD_BYTES_A_DAY, NOW - 1);
  await upload(user);
  const before = await keptOf();
  await expect(upload(user)).rejects.toMatchObject({
    code: "RATE_LIMITED",
    retryAfter: 60,
    message:
      "Couldn't upload file: hut.png. You may upload 100 MB of images in 24 hours. Please try again later.",
  });
  expect(await keptOf()).toBe(before);
  await upload(user, instant(NOW + 60_000));
});

test("D-06 an account's images take at most 1 GB, and the refusal says how to free it", async () => {
  await stored(user, MAX_UPLOAD_BYTES - SMALLEST_COUNTED, NOW - 30 * DAY);
  await upload(user);
  await expect(upload(user)).rejects.toMatchObject({
    code: "TOO_LARGE",
    message:
      "Couldn't upload file: hut.png. Your images take all of your 1 GB. To free space, remove images from your texts: an image that no text shows is deleted 60 days after its upload.",
  });
  await db.delete(schema.uploads);
  await upload(user);
});

test("D-06 images uploaded at the same time take no more than one after the other", async () => {
  for (const [bytes, at, code] of [
    [MAX_UPLOAD_BYTES_A_DAY, NOW, "RATE_LIMITED"],
    [MAX_UPLOAD_BYTES, NOW - 2 * DAY, "TOO_LARGE"],
  ] as const) {
    user = await makeUser();
    await stored(user, bytes - 2 * SMALLEST_COUNTED, at);
    const before = await keptOf();
    const done = await Promise.allSettled(Array.from({ length: 8 }, () => upload(user)));
    expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    for (const each of done) if (each.status === "rejected") expect(each.reason).toMatchObject({ code });
    expect(await keptOf()).toBe(before + 2);
  }
});

test("D-06 small images count as 100 kB, so that a sum reads at most 10,486 rows", async () => {
  await stored(user, 1, NOW - 1);
  await stored(user, MAX_UPLOAD_BYTES_A_DAY - 2 * SMALLEST_COUNTED, NOW - 1);
  await upload(user);
  await expect(upload(user)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  const { d1, counts } = countingD1(env.DB);
  for (let i = 0; i < 20; i++) await stored(await makeUser(), 1, NOW - 1);
  await expect(
    uploadImage(
      { ...(await appOf(user, NOW)), db: connect(d1) },
      { name: "a.png", bytes: PNG.slice().buffer },
    ),
  ).rejects.toMatchObject({ code: "RATE_LIMITED" });
  expect(counts).toEqual({ trips: 1, rowsRead: 4 });
});

test("P-12 D-06 the account page shows what the images take, and how to free it", async () => {
  await stored(user, 5 * 1024 * 1024, Date.now() - 2 * DAY);
  await stored(user, 1.5 * 1024 * 1024, Date.now());
  const text = (await (await visit(user, "/account")).texts("#images")).join(" ");
  expect(text).toContain("Your images take 6.5 MB of 1024 MB.");
  expect(text).toContain("In the last 24 hours you uploaded 1.5 MB of 100 MB.");
  expect(text).toContain("an image that no text shows is deleted 60 days after its upload");
});
