// The headers of static files, which Cloudflare serves without the worker, compared with the worker's own headers.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { securityHeaders } from "./security-headers";
import type { HonoEnv } from "./serve";

test("ASVS 3.4.1 static files have the same headers as the worker's answers", async () => {
  const [pattern, ...lines] = readFileSync(join(import.meta.dirname, "../public/_headers"), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const fixed = Object.fromEntries(
    lines.map((line) => [line.split(":")[0]?.trim().toLowerCase(), line.replace(/^[^:]*:/, "").trim()]),
  );
  const worker = new Hono<HonoEnv>().use(securityHeaders).get("/", (c) => c.json({}));
  const { headers: sent } = await worker.request("https://bothy.test/");
  expect(pattern).toBe("/*");
  expect(sent.get("Strict-Transport-Security")).toBe("max-age=31536000; includeSubDomains");
  for (const name of [
    "strict-transport-security",
    "x-content-type-options",
    "referrer-policy",
    "x-frame-options",
    "cross-origin-opener-policy",
    "cross-origin-resource-policy",
  ])
    expect([name, fixed[name]]).toEqual([name, sent.get(name)]);
});
