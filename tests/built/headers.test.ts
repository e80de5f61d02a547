// The security headers of the served build: static files, which Cloudflare serves without the worker, uploads and
// pages.
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrate, seed, serve } from "../../workers/local/tools.mjs";
import { callerOf } from "../load/caller.mjs";

const HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
const POLICY = ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"];
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** The status of a request whose method `fetch` refuses to send. */
const statusOf = (method: string, url: string) =>
  new Promise<number>((resolve, reject) => {
    const asked = request(url, { method }, (answer) => resolve(answer.resume().statusCode ?? 0));
    asked.on("error", reject).end();
  });

test("R-35 assets, the service worker, icons, uploads, pages and calls carry the security headers, and built files a lifetime", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "bothy-headers-"));
  await migrate(dataDir);
  const server = await serve({ port: await freePort(), dataDir, quiet: true });
  try {
    const { accounts } = await seed(server.url);
    const { cookie, call } = callerOf(server.url);
    await call("GET", "/sanctum/csrf-cookie");
    await call("POST", "/login", { email: accounts[0].email, password: accounts[0].password });
    const form = new FormData();
    form.set("file", new Blob([Buffer.from(PIXEL, "base64")], { type: "image/png" }), "pixel.png");
    const token = /XSRF-TOKEN=([^;]*)/.exec(cookie())?.[1] ?? "";
    const uploaded = await fetch(`${server.url}/upload/text`, {
      method: "POST",
      headers: { Cookie: cookie(), Origin: server.url, "X-XSRF-TOKEN": decodeURIComponent(token) },
      body: form,
    });
    const upload = /\/uploads\/[\w./-]+/.exec(await uploaded.text())?.[0] ?? "no upload";
    const home = await (await fetch(server.url)).text();
    const asset = /\/assets\/[\w.-]+\.js/.exec(home)?.[0] ?? "no asset";
    const style = /\/assets\/[\w.-]+\.css/.exec(home)?.[0] ?? "no style";
    for (const path of [asset, style, "/sw.js", "/favicon.svg", "/offline.html", upload, "/", "/api/time"]) {
      const { status, headers } = await fetch(server.url + path);
      const sent = Object.fromEntries(Object.keys(HEADERS).map((name) => [name, headers.get(name)]));
      expect([path, status, sent]).toEqual([path, 200, HEADERS]);
      const policy = headers.get("content-security-policy")?.split("; ") ?? [];
      expect([path, POLICY.filter((line) => !policy.includes(line))]).toEqual([path, []]);
    }
    for (const path of [asset, style])
      expect((await fetch(server.url + path)).headers.get("cache-control"), path).toBe(
        "public, max-age=31536000, immutable",
      );
    const offline = await fetch(`${server.url}/offline`);
    const [, script = ""] = /<script>(.*?)<\/script>/s.exec(await offline.text()) ?? [];
    const hash = createHash("sha256").update(script).digest("base64");
    expect(offline.headers.get("content-security-policy")).toContain(`script-src 'self' 'sha256-${hash}';`);
    for (const path of ["/", asset, "/api/time", "/login"])
      expect([path, await statusOf("TRACE", server.url + path)]).toEqual([path, 405]);
    for (const path of [
      "/.git/config",
      "/.git/HEAD",
      "/.svn/entries",
      "/.env",
      "/.dev.vars",
      "/wrangler.toml",
    ])
      expect([path, (await fetch(server.url + path)).status]).toEqual([path, 404]);
    // The app can be installed, and its icons exist.
    const manifest = (await (await fetch(`${server.url}/site.webmanifest`)).json()) as {
      name: string;
      start_url: string;
      icons: { src: string; sizes: string; purpose?: string }[];
    };
    expect(manifest.name).toBe("Bothy");
    expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(["192x192", "512x512"]));
    expect(manifest.icons.some(({ purpose }) => purpose === "maskable")).toBe(true);
    for (const { src } of [...manifest.icons, { src: manifest.start_url }])
      expect([src, (await fetch(new URL(src, server.url))).status]).toEqual([src, 200]);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 300_000);

test("ASVS 13.4.1 no file of source control or of a development machine is deployed", () => {
  const deployed = readdirSync(join(import.meta.dirname, "../../build"), {
    recursive: true,
    encoding: "utf8",
  });
  expect(deployed.length).toBeGreaterThan(100);
  expect(deployed.filter((path) => path.split("/").some((name) => name.startsWith(".")))).toEqual([]);
});
