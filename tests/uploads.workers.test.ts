// Files that are two things at once, and files that only say they are images: refused with the documented sentence, or
// served so that nothing in them can run (D-06, D-07).
import { expect, test } from "vitest";
import { ask, ORIGIN } from "./support/ask";
import { makeUser, type TestUser } from "./support/factories";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const join = (...parts: Uint8Array[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(parts.flatMap((part) => [...part]));
const PNG = Uint8Array.from(
  atob(
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAIAAABxZ0isAAAAEklEQVR4nGNgsFqBFTEMKQkAgHkdiRAmJbUAAAAASUVORK5CYII=",
  ),
  (letter) => letter.charCodeAt(0),
);
/** A GIF of 0x2f2a by 1 pixels, whose size opens a comment of JavaScript. */
const GIF_SCRIPT = join(
  bytesOf("GIF89a"),
  Uint8Array.of(0x2f, 0x2a, 1, 0, 0, 0, 0),
  bytesOf("*/=1;alert(1)//"),
);
const HTML = "<!doctype html><script>alert(1)</script>";

async function upload(user: TestUser, name: string, bytes: Uint8Array, type: string) {
  const form = new FormData();
  form.set("file", new File([join(bytes)], name, { type }));
  const response = await ask("/upload/text", {
    method: "POST",
    headers: {
      Cookie: `XSRF-TOKEN=token-token-token-token; login=${user.loginToken}`,
      Origin: ORIGIN,
      "X-CSRF-TOKEN": "token-token-token-token",
    },
    body: form,
  });
  const body: { url?: string; message?: string; error?: { message: string } } = await response.json();
  return { status: response.status, ...body };
}

test("D-06 R-03 what only says it is an image is refused, whatever its name and header say", async () => {
  const user = await makeUser();
  for (const [name, bytes, type] of [
    ["page.png", bytesOf(HTML), "image/png"],
    [
      "drawing.svg",
      bytesOf('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      "image/svg+xml",
    ],
    ["drawing.png", bytesOf('<?xml version="1.0"?><svg onload="alert(1)"/>'), "image/png"],
    ["late.png", join(bytesOf(HTML), PNG), "image/png"],
    ["book.pdf", bytesOf("%PDF-1.7\n"), "image/png"],
  ] as const) {
    const sentence = `Couldn't upload file: ${name}. Please use a JPEG, PNG, GIF, BMP, WebP or TIFF image.`;
    expect(await upload(user, name, bytes, type), name).toMatchObject({
      status: 415,
      message: sentence,
      error: { message: sentence },
    });
  }
});

test("D-06 D-07 a file that is an image and a page or a script is served as the image alone", async () => {
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
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(join(bytes));
  }
});

test("D-07 an upload's name cannot be tried: no list, no other ending, no way out of its folder", async () => {
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
