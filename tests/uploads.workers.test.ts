// Files of two types at once, and files that only claim to be images (D-06, D-07). The server refuses them with the
// documented sentence, or serves them so that nothing in them can run.
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { connect, schema } from "#db/connect.server";
import { cleanImage } from "~/domain/items/image-metadata";
import { imageTypeOf, MAX_UPLOAD_BYTES } from "~/domain/items/images";
import { DAY, instant, MINUTE } from "~/domain/time";
import { uploadImage } from "~/use-cases/items/uploads.server";
import { deleteOrphanedUploads } from "~/use-cases/upkeep.server";
import { ask, callAs, ORIGIN } from "./support/ask";
import { appOf, db, makeUser, type TestUser } from "./support/factories";
import { failingD1 } from "./support/failing-d1";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const join = (...parts: Uint8Array[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(parts.flatMap((part) => [...part]));
const PNG = Uint8Array.from(
  atob(
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAIAAABxZ0isAAAAEklEQVR4nGNgsFqBFTEMKQkAgHkdiRAmJbUAAAAASUVORK5CYII=",
  ),
  (letter) => letter.charCodeAt(0),
);
/** The stored bytes of an upload. */
const imageOf = (bytes: Uint8Array): Uint8Array => {
  const type = imageTypeOf(bytes);
  return (type && cleanImage(join(bytes), type)?.bytes) ?? bytes;
};
/** A GIF of 0x2f2a by 1 pixels, whose size opens a JavaScript comment. */
const GIF_SCRIPT = join(
  bytesOf("GIF89a"),
  Uint8Array.of(0x2f, 0x2a, 1, 0, 0, 0, 0),
  bytesOf("*/=1;alert(1)//"),
);
const HTML = "<!doctype html><script>alert(1)</script>";

async function upload(user: TestUser, name: string, bytes: Uint8Array, type: string, key?: string) {
  const form = new FormData();
  form.set("file", new File([join(bytes)], name, { type }));
  const response = await ask("/upload/text", {
    method: "POST",
    headers: {
      Cookie: `XSRF-TOKEN=token-token-token-token; login=${user.loginToken}`,
      Origin: ORIGIN,
      "X-CSRF-TOKEN": "token-token-token-token",
      ...(key === undefined ? {} : { "Idempotency-Key": key }),
    },
    body: form,
  });
  const body: { url?: string; message?: string; error?: { message: string } } = await response.json();
  return { status: response.status, ...body };
}

test("X-07 C-95 an image that is sent again with its key is stored once, and another is refused", async () => {
  const user = await makeUser();
  const send = (bytes = PNG) => upload(user, "hut.png", bytes, "image/png", "an-image");
  const first = await send();
  expect(first.status).toBe(201);
  expect(await send()).toEqual(first);
  // The stored answer is lost, so the row is read.
  await db
    .update(schema.repeatedRequests)
    .set({ answer: null })
    .where(eq(schema.repeatedRequests.userId, user.id));
  expect(await send()).toEqual(first);
  expect((await send(join(PNG, bytesOf("more")))).status).toBe(409);
  expect(await db.$count(schema.uploads, eq(schema.uploads.userId, user.id))).toBe(1);
  expect((await upload(user, "hut.png", PNG, "image/png", "next")).url).not.toBe(first.url);
});

test("X-07 C-95 an image that lost the last space to another is stored by the repeat with its key once there is space", async () => {
  const user = await makeUser();
  const send = () => upload(user, "hut.png", PNG, "image/png", "the-last-space");
  // Another upload takes the space after the first look at it.
  const put = env.UPLOADS.put.bind(env.UPLOADS);
  const spy = vi.spyOn(env.UPLOADS, "put").mockImplementation((async (...stored: Parameters<typeof put>) => {
    const full = { key: `full-${user.id}`, userId: user.id, type: "image/png", width: 1, height: 1 };
    await db.insert(schema.uploads).values({ ...full, bytes: MAX_UPLOAD_BYTES, createdAt: instant(1) });
    return put(...stored);
  }) as typeof put);
  expect(await send()).toMatchObject({ status: 413 });
  spy.mockRestore();
  await db.delete(schema.uploads).where(eq(schema.uploads.userId, user.id));
  // The repeat would wait for a run that is as young.
  const older = { createdAt: instant(Date.now() - MINUTE) };
  await db.update(schema.repeatedRequests).set(older).where(eq(schema.repeatedRequests.userId, user.id));
  const stored = await send();
  expect(stored.status).toBe(201);
  expect(await send()).toEqual(stored);
  expect(await db.$count(schema.uploads, eq(schema.uploads.userId, user.id))).toBe(1);
});

const UNKNOWN = [415, "UNSUPPORTED_TYPE", "Please use a JPEG, PNG, GIF, BMP, WebP or TIFF image."] as const;
const PIXELS = [413, "TOO_LARGE", "The image has too many pixels."] as const;

test("D-06 R-03 M-33 a file that only claims to be an image, a bomb and a giant are refused with a sentence", async () => {
  const user = await makeUser();
  const bomb = Uint8Array.from(PNG);
  new DataView(bomb.buffer).setUint32(16, 60_000);
  new DataView(bomb.buffer).setUint32(20, 60_000);
  for (const [name, bytes, type, [status, error_code, reason]] of [
    ["page.png", bytesOf(HTML), "image/png", UNKNOWN],
    [
      "drawing.svg",
      bytesOf('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      "image/svg+xml",
      UNKNOWN,
    ],
    ["drawing.png", bytesOf('<?xml version="1.0"?><svg onload="alert(1)"/>'), "image/png", UNKNOWN],
    ["late.png", join(bytesOf(HTML), PNG), "image/png", UNKNOWN],
    ["book.pdf", bytesOf("%PDF-1.7\n"), "image/png", UNKNOWN],
    ["poly.gif", bytesOf("GIF89a=1;alert(1)//"), "image/gif", PIXELS],
    ["bomb.png", bomb, "image/png", PIXELS],
    [
      "big.png",
      new Uint8Array(10 * 1024 * 1024 + 1),
      "image/png",
      [413, "TOO_LARGE", "An image may have up to 10 MB."],
    ],
  ] as const) {
    const sentence = `Couldn't upload file: ${name}. ${reason}`;
    expect(await upload(user, name, bytes, type), name).toMatchObject({
      status,
      error_code,
      message: sentence,
      error: { message: sentence },
    });
  }
});

test("D-06 D-07 a file that is both an image and a page or script is served only as the image", async () => {
  const user = await makeUser();
  for (const [name, bytes, type, served] of [
    ["tail.png", join(PNG, bytesOf(HTML)), "text/html", "image/png"],
    ["run.js", GIF_SCRIPT, "text/javascript", "image/gif"],
    ["../../page.html", PNG, "text/html", "image/png"],
  ] as const) {
    const { status, url = "" } = await upload(user, name, bytes, type);
    expect(status, name).toBe(201);
    expect(url).toMatch(/^\/uploads\/[0-9a-f]{40}\.(png|gif)$/);
    const answer = await ask(url);
    expect(Object.fromEntries(answer.headers), name).toMatchObject({
      "content-type": served,
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": expect.stringMatching(/^default-src 'none';.*; sandbox$/),
      // The client's file name is never sent back.
      "content-disposition": `inline; filename="${url.replace("/uploads/", "")}"`,
    });
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(imageOf(bytes));
  }
});

test("D-07 an upload's name cannot be guessed, listed, given another ending or used to leave its folder", async () => {
  const { url = "" } = await upload(await makeUser(), "hut.png", PNG, "image/png");
  for (const path of [
    "/uploads/",
    url.replace(".png", ".html"),
    url.replace(".png", ""),
    `${url}/..%2f..%2fx.png`,
  ]) {
    const answer = await ask(path, { redirect: "manual" });
    await answer.text();
    expect(answer.status, path).toBe(404);
  }
});

test("D-06 each of the six types is accepted under any name, and served with its own type", async () => {
  const user = await makeUser();
  const short = (...numbers: number[]) => Uint8Array.from(numbers.flatMap((n) => [n & 255, n >> 8]));
  const images: Record<string, [string, Uint8Array]> = {
    jpg: [
      "image/jpeg",
      join(
        Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16),
        bytesOf("JFIF\0"),
        new Uint8Array(9),
        Uint8Array.of(0xff, 0xc0, 0, 17, 8, 0, 6, 0, 8, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xff, 0xd9),
      ),
    ],
    png: ["image/png", PNG],
    gif: ["image/gif", join(bytesOf("GIF89a"), short(8, 6), Uint8Array.of(0, 0, 0))],
    bmp: ["image/bmp", join(bytesOf("BM"), new Uint8Array(12), short(40, 0, 8, 0, 6, 0), new Uint8Array(28))],
    webp: [
      "image/webp",
      join(
        bytesOf("RIFF"),
        short(22, 0),
        bytesOf("WEBPVP8X"),
        short(10, 0, 0, 0),
        Uint8Array.of(7, 0, 0, 5, 0, 0),
      ),
    ],
    tiff: [
      "image/tiff",
      join(bytesOf("II"), short(42, 8, 0, 2, 256, 3, 1, 0, 8, 0, 257, 3, 1, 0, 6, 0), new Uint8Array(4)),
    ],
  };
  for (const [ending, [type, bytes]] of Object.entries(images)) {
    const { status, url = "", ...size } = await upload(user, "hut.txt", bytes, "text/plain");
    expect({ status, ...size }, ending).toMatchObject({ status: 201, width: 8, height: 6 });
    expect(url).toMatch(new RegExp(`^/uploads/[0-9a-f]{40}\\.${ending}$`));
    const answer = await ask(url);
    expect(answer.headers.get("Content-Type")).toBe(type);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(imageOf(bytes));
  }
});

test("D-06 a photo that is shown turned answers the width and height as shown", async () => {
  const user = await makeUser();
  const photo = (orientation: number) =>
    join(
      Uint8Array.of(0xff, 0xd8, 0xff, 0xe1, 0, 34),
      bytesOf("Exif\0\0MM\0*\0\0\0\b\0\u0001\u0001\u0012\0\u0003\0\0\0\u0001\0"),
      Uint8Array.of(orientation, 0, 0, 0, 0, 0, 0),
      Uint8Array.of(0xff, 0xc0, 0, 17, 8, 0, 6, 0, 8, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xff, 0xd9),
    );
  for (const orientation of [1, 2, 3, 4])
    expect(await upload(user, "a.jpg", photo(orientation), "")).toMatchObject({ width: 8, height: 6 });
  for (const orientation of [5, 6, 7, 8])
    expect(await upload(user, "a.jpg", photo(orientation), "")).toMatchObject({ width: 6, height: 8 });
  const row = await db.select().from(schema.uploads).where(eq(schema.uploads.userId, user.id));
  expect(row.filter(({ width }) => width === 6)).toHaveLength(4);
});

test("D-06 an image of more than 20,000 parts is refused with a sentence, and nothing of it is kept", async () => {
  const before = await kept();
  const many = join(
    bytesOf("GIF89a"),
    Uint8Array.of(1, 0, 1, 0, 0, 0, 0),
    new Uint8Array(60_003).map((_, i) => [0x21, 0xfe, 0][i % 3] ?? 0),
  );
  expect(await upload(await makeUser(), "many.gif", many, "image/gif")).toMatchObject({
    status: 415,
    message:
      "Couldn't upload file: many.gif. The image has too many parts. Please save it again in an image program.",
  });
  expect(await kept()).toEqual(before);
});

/** The stored objects and D1's rows of them. */
const kept = async () => ({
  stored: (await env.UPLOADS.list()).objects.map(({ key }) => key),
  rows: (await db.select().from(schema.uploads)).map(({ key }) => key),
});

test("S-21 C-95 an upload that breaks off or never ends leaves nothing behind", async () => {
  const user = await makeUser();
  const before = await kept();
  const headers = {
    Cookie: `XSRF-TOKEN=token-token-token-token; login=${user.loginToken}`,
    Origin: ORIGIN,
    "X-CSRF-TOKEN": "token-token-token-token",
    "Content-Type": "multipart/form-data; boundary=edge",
  };
  const begun = join(
    bytesOf('--edge\r\nContent-Disposition: form-data; name="file"; filename="hut.png"\r\n\r\n'),
    PNG,
  );
  const whole = join(begun, bytesOf("\r\n--edge--\r\n"));
  const send = async (body: ReadableStream | Uint8Array<ArrayBuffer>) => {
    const answer = await ask("/upload/text", { method: "POST", headers, body });
    return { status: answer.status, ...(await answer.json<{ error_code?: string; error?: object }>()) };
  };
  const stream = (pull: (controller: ReadableStreamDefaultController) => void) =>
    new ReadableStream({ start: (controller) => controller.enqueue(begun), pull });

  for (const part of [begun, stream((controller) => controller.close())])
    expect(await send(part)).toMatchObject({
      status: 422,
      error_code: "INVALID",
      error: { message: "The image did not arrive whole. Please try again." },
    });
  // A body without a stated length is not read to its end either.
  let sent = 0;
  const endless = stream((controller) => {
    sent += 1_000_000;
    controller.enqueue(new Uint8Array(1_000_000));
  });
  expect(await send(endless)).toMatchObject({ status: 413, error_code: "TOO_LARGE" });
  expect(sent).toBeLessThan(20_000_000);
  expect(await kept()).toEqual(before);

  expect(await send(whole)).toMatchObject({ status: 201 });
  expect((await kept()).rows).toHaveLength(before.rows.length + 1);
});

test("S-21 D-07 an image whose row could not be written is deleted at once, or by the daily cron", async () => {
  const user = await makeUser();
  const before = await kept();
  const image = { name: "hut.png", bytes: join(PNG).buffer };
  const app = await appOf(user);
  const { d1 } = failingD1(env.DB, { at: 2, when: "before" });
  const broken = { ...app, db: connect(d1) };
  await expect(uploadImage(broken, image)).rejects.toThrow();
  expect(await kept()).toEqual(before);

  const cannotDelete = { ...app.uploads, delete: () => Promise.reject(new Error("no R2")) };
  const again = connect(failingD1(env.DB, { at: 2, when: "before" }).d1);
  await expect(uploadImage({ ...app, db: again, uploads: cannotDelete }, image)).rejects.toThrow();
  expect((await kept()).stored).toHaveLength(before.stored.length + 1);
  await deleteOrphanedUploads({ ...app, now: instant(Date.now() + 2 * DAY) });
  expect((await kept()).stored).toHaveLength(before.rows.length);
});

test("D-07 no call changes or deletes an image, whether of its owner, a stranger, a visitor or a super admin", async () => {
  const owner = await makeUser();
  const { url = "" } = await upload(owner, "hut.png", PNG, "image/png");
  for (const user of [owner, await makeUser(), null, await makeUser({ roleId: 10 })])
    for (const method of ["DELETE", "PUT", "PATCH", "POST"]) {
      const { status } = await callAs(user, method, url);
      expect(status, `${method} as ${user?.username}`).toBe(405);
      const answer = await ask(url);
      expect(new Uint8Array(await answer.arrayBuffer())).toEqual(imageOf(PNG));
    }
});

test("R-03 an upload that is refused before it is read says why in the shape of the others", async () => {
  const answer = await ask("/upload/text", {
    method: "POST",
    headers: { Origin: ORIGIN },
    body: new FormData(),
  });
  const body: { message: string; error: { message: string } } = await answer.json();
  expect(answer.status).toBe(419);
  expect(body.error).toEqual({ message: body.message });
});
