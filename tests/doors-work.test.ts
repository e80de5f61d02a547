// Each kind of input from outside at its longest legal size: the work that it causes grows no faster than the input. Work
// is counted in executed blocks of code, so that no speed of a machine decides (P3, R-35).
import { readdirSync, readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { HonoEnv } from "#workers/serve";

const ORIGIN = "http://127.0.0.1:8787";
const KB = 1024;

// V8 counts the blocks of code that it compiles from now on, so what is measured is imported after this.
const inspector = new Session();
inspector.connect();
await inspector.post("Profiler.enable");
await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

const { parseWithZod } = await import("@conform-to/zod/v4");
const { z } = await import("zod");
const { createPages } = await import("#workers/pages");
const { readForm, MAX_BYTES_WITH_TEXTS } = await import("~/http/read-form.server");
const { toastOf } = await import("~/http/toast.server");
const { readClientMessage } = await import("~/wire/room/messages");
const { MESSAGE_LIMIT } = await import("~/wire/room/room");
const { renderMarkdown } = await import("#workers/adapters/markdown");
const { createHttp } = await import("#workers/http");
const { jsonError, serve } = await import("#workers/serve");
const { calls } = await import("~/wire/calls");
const { Hono } = await import("hono");
const { AppError } = await import("~/domain/errors");

/** A body as workerd delivers it; Node's own takes no buffer of the reader. */
const byteStream = (bytes: Uint8Array<ArrayBuffer>) =>
  new ReadableStream({
    type: "bytes",
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  }) as ReadableStream<Uint8Array>;

/** Pages like ours: many addresses, and an action that reads its form. */
const routes = Object.fromEntries(
  Array.from({ length: 80 }, (_, n) => [
    `page-${n}`,
    {
      id: `page-${n}`,
      path: [`sessions/:session/part-${n}`, `my/part-${n}`, `group/:hut/part-${n}`, `:person/part-${n}`][
        n % 4
      ],
      module: { default: () => null },
    },
  ]),
);
const build = {
  routes: {
    ...routes,
    any: {
      id: "any",
      path: "*",
      module: {
        loader: ({ request }: { request: Request }) => Response.json(toastOf(request)),
        action: async ({ request }: { request: Request }) => {
          const body = byteStream(new Uint8Array(await request.arrayBuffer()));
          const form = await readForm({ headers: request.headers, body }, MAX_BYTES_WITH_TEXTS);
          parseWithZod(form, { schema: z.looseObject({}) });
          return new Response();
        },
      },
    },
  },
  assets: { version: "1", routes: {}, entry: { module: "", imports: [] }, url: "" },
  entry: { module: { default: () => new Response(), handleError: () => {} } },
  future: { v3_lazyRouteDiscovery: true },
  publicPath: "/",
  assetsBuildDirectory: "",
  isSpaMode: false,
};
const pages = createPages(build as never, "production");
const http = createHttp((request, context) => pages(request, context as never));

const TOKEN = "t".repeat(32);
const env = {
  APP_ORIGIN: ORIGIN,
  APP_NAME: "Test",
  PER_PAGE: "12",
  ROOM_CAPACITY: "100",
  RATE_LIMITS: "on",
  EDGE_CACHE: "off",
  MAIL_FROM: "hello@bothy.example",
  ROOMS: {},
  COUNTERS: {},
  UPLOADS: {},
  COPIES: {},
  DB: { withSession: () => ({ getBookmark: () => null }) },
};
const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} };

async function ask(
  path: string,
  init: RequestInit & { headers?: Record<string, string> } = {},
): Promise<number> {
  const headers = { Origin: ORIGIN, "X-XSRF-TOKEN": TOKEN, Cookie: `XSRF-TOKEN=${TOKEN}`, ...init.headers };
  const answer = await http.fetch(
    new Request(ORIGIN + path, { ...init, headers }),
    env as never,
    context as never,
  );
  await answer.text();
  return answer.status;
}
const post = (type: string, body: string) =>
  ask("/anything", { method: "POST", headers: { "Content-Type": type }, body });
const FORM = "application/x-www-form-urlencoded";

const calling = new Hono<HonoEnv>();
calling.post("*", (c) => {
  c.set("app", { user: { id: 1 }, settings: { isLocalRun: true } } as never);
  return serve(calls.createActivity, async () => {
    throw new AppError("CONFLICT");
  }).respond(c);
});
calling.onError((thrown, c) => jsonError(c, thrown));
async function call(body: string): Promise<number> {
  const request = new Request(ORIGIN, { method: "POST", headers: { "Content-Type": "application/json" } });
  Object.defineProperty(request, "body", { value: byteStream(new TextEncoder().encode(body)) });
  const answer = await calling.fetch(request);
  await answer.text();
  return answer.status;
}

const filled = (size: number, piece: string) => piece.repeat(Math.floor(size / piece.length));
const listed = (count: number, one: (n: number) => string, between: string) =>
  Array.from({ length: count }, (_, n) => one(n)).join(between);

/** Numbers the texts, because the renderer remembers some. */
let texts = 0;

type Door = { kind: Kind; longest: number; send(size: number): Promise<unknown> | unknown; status?: number };
/** `longest` in the unit that costs: characters, keys or fields. */
const DOORS: Record<string, Door> = {
  "a path of one segment": {
    kind: "path",
    longest: 1023,
    send: (n) => ask(`/${"x".repeat(n)}`),
    status: 200,
  },
  "a path of 12 segments": { kind: "path", longest: 12, send: (n) => ask("/a".repeat(n)), status: 200 },
  "a query of one value": {
    kind: "query",
    longest: 14 * KB,
    send: (n) => ask(`/a?q=${"x".repeat(n)}`),
    status: 200,
  },
  "a query of keys": {
    kind: "query",
    longest: 250,
    send: (n) => ask(`/a?${filled(8 * n, "index=a&")}`),
    status: 200,
  },
  "paths for the manifest": {
    kind: "query",
    longest: 450,
    send: (n) => ask(`/__manifest?version=1&${listed(n, (i) => `p=/sessions/${i}`, "&")}`),
    status: 200,
  },
  "long paths for the manifest": {
    kind: "query",
    longest: 12,
    send: (n) => ask(`/__manifest?version=1&${listed(n, (i) => `p=/${i}${"/a".repeat(11)}`, "&")}`),
    status: 200,
  },
  "many cookies": {
    kind: "cookie",
    longest: 4000,
    send: (n) => ask("/a", { headers: { Cookie: listed(n, (i) => `c${i}=`, ";") } }),
    status: 200,
  },
  "one long cookie": {
    kind: "cookie",
    longest: 16 * KB,
    send: (n) => ask("/a", { headers: { Cookie: `toast=${filled(n, "%2")}` } }),
    status: 200,
  },
  "spaces between cookies": {
    kind: "cookie",
    longest: 16 * KB,
    send: (n) => ask("/a", { headers: { Cookie: `a=b;${" ".repeat(n)}c=d` } }),
    status: 200,
  },
  "a key of spaces and letters": {
    kind: "header",
    longest: 14 * KB,
    send: (n) => ask("/get-user", { headers: { Authorization: `Bearer ${filled(n, " x")}` } }),
    status: 401,
  },
  "a list of languages": {
    kind: "header",
    longest: 16 * KB,
    send: (n) => ask("/a", { headers: { "Accept-Language": filled(n, "en-x,;") } }),
    status: 200,
  },
  "a content type": {
    kind: "header",
    longest: 16 * KB,
    send: (n) => post(`multipart/form-data${filled(n, '; boundary="')}`, "a"),
    status: 422,
  },
  "a long token": {
    kind: "header",
    longest: 16 * KB,
    send: (n) => ask("/a", { method: "POST", headers: { "X-XSRF-TOKEN": filled(n, "%") } }),
    status: 200,
  },
  "a form of fields": {
    kind: "form",
    longest: 5000,
    send: (n) =>
      post(
        FORM,
        listed(n, (i) => `f${i}=x`, "&"),
      ),
    status: 200,
  },
  "a form of one repeated name": {
    kind: "form",
    longest: 1000,
    send: (n) => post(FORM, filled(4 * n, "f=x&")),
    status: 200,
  },
  "a form of a list": {
    kind: "form",
    longest: 1000,
    send: (n) =>
      post(
        FORM,
        listed(n, (i) => `f[${i}]=x`, "&"),
      ),
    status: 200,
  },
  "a form of deep names": {
    kind: "form",
    longest: 3000,
    send: (n) =>
      post(
        FORM,
        listed(n, (i) => `a[${i % 20}].b[${Math.floor(i / 20)}].c.d.e=x`, "&"),
      ),
    status: 200,
  },
  "a form of one text": {
    kind: "form",
    longest: 512 * KB,
    send: (n) => post(FORM, `f=${"x".repeat(n)}`),
    status: 200,
  },
  "a multipart form of near boundaries": {
    kind: "form",
    // The boundary grows with the body, up to RFC 2046's 70 characters.
    longest: 700_000,
    send: (n) =>
      post(`multipart/form-data; boundary=${"-".repeat(Math.ceil(n / 10_000) - 1)}x`, "-".repeat(n)),
    status: 422,
  },
  "JSON of values": {
    kind: "JSON",
    longest: 49_000,
    send: (n) => call(`{"challenge":{"title":"Sit","tasks":[${filled(2 * n, "0,")}0]}}`),
    status: 422,
  },
  "JSON of keys": {
    kind: "JSON",
    longest: 49_000,
    send: (n) => call(`{"challenge":{${listed(n, (i) => `"${i}":0`, ",")}}}`),
    status: 422,
  },
  "JSON of brackets in a text": {
    kind: "JSON",
    longest: 512 * KB,
    send: (n) => call(`{"challenge":{"title":"${"[".repeat(n)}"}}`),
    status: 422,
  },
  "JSON of broken text": { kind: "JSON", longest: 512 * KB, send: (n) => call(filled(n, "\\")), status: 422 },
  "a message of the socket": {
    kind: "socket",
    longest: MESSAGE_LIMIT - 100,
    send: (n) => readClientMessage(JSON.stringify({ type: "message", nonce: "1", content: "x".repeat(n) })),
  },
  "a message of many keys": {
    kind: "socket",
    longest: Math.floor(MESSAGE_LIMIT / 10) - 10,
    send: (n) => readClientMessage(`{"type":"typing",${listed(n, (i) => `"${i}":0`, ",")}}`),
  },
  ...Object.fromEntries(
    [
      "a ",
      "*a_",
      "[",
      "![[",
      "`",
      "<a",
      "> ",
      "- ",
      "|a\n",
      "@a ",
      "www.a",
      "a\n\n",
      "~~a",
      "[^a]",
      "&amp",
      "[a]: b\n",
    ].map((piece): [string, Door] => [
      `Markdown of ${JSON.stringify(piece)}`,
      {
        kind: "Markdown",
        longest: 200_000,
        send: (n) => renderMarkdown(`${++texts}\n\n${filled(n - 10, piece)}`),
      },
    ]),
  ),
};

async function stepsOf(run: () => unknown): Promise<number> {
  await inspector.post("Profiler.takePreciseCoverage");
  await run();
  const { result } = await inspector.post("Profiler.takePreciseCoverage");
  return result
    .filter(({ url }) => /\/(app|workers|node_modules)\//.test(url) && !url.includes("vitest"))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
    .reduce((sum, count) => sum + count, 0);
}

/** The longest texts take a third of a minute on a busy machine, because they run with a profiler. */
const MOST_MS = 120_000;
/** Shares of the longest input, because a bound may make the longest cheaper than a shorter one. */
const SHARES = [1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1];

test.each(Object.entries(DOORS))(
  "P3 R-35 the work for %s grows no faster than it",
  async (_name, door) => {
    const { longest, send, status } = door;
    const sizes = SHARES.map((share) => Math.ceil(longest * share));
    // Memos and lazy imports.
    for (const size of sizes) await send(size);
    const steps: number[] = [];
    for (const size of sizes)
      steps.push(
        await stepsOf(async () => {
          const answered = await send(size);
          if (status !== undefined) expect(answered).toBe(status);
        }),
      );
    expect(Math.min(...steps)).toBeGreaterThan(0);
    const growth = steps.slice(1).map((more, n) => more / (steps[n] ?? 0));
    expect(Math.max(...growth), `steps of ${sizes.join(", ")}: ${steps.join(", ")}`).toBeLessThan(2.2);
  },
  MOST_MS,
);

type Kind = "path" | "query" | "cookie" | "header" | "form" | "JSON" | "socket" | "Markdown";
/** The code that reads input of a kind, and the files that have such code. */
const READERS: Record<Kind, { reads: RegExp; files: string[] }> = {
  path: {
    reads: /\.pathname\b|\breq\.param\(/,
    files: [
      "app/http/act.server.ts",
      "app/http/load.server.ts",
      "app/http/returned-form.server.ts",
      "workers/address-bounds.ts",
      "workers/answer-request.ts",
      "workers/api/sessions.ts",
      "workers/bearer.ts",
      "workers/doors.ts",
      "workers/edge-cache.ts",
      "workers/guards.ts",
      "workers/http.ts",
      "workers/page-twin.ts",
      "workers/reference.ts",
      "workers/room/open-socket.ts",
      "workers/security-headers.ts",
      "workers/serve-calendar.ts",
      "workers/serve-upload.ts",
      "workers/serve.ts",
    ],
  },
  query: {
    reads: /\bsearchParams\b|\breq\.query\(/,
    files: [
      "app/http/act.server.ts",
      "app/http/load.server.ts",
      "app/http/scripts.server.ts",
      "workers/address-bounds.ts",
      "workers/answer-request.ts",
      "workers/edge-cache.ts",
      "workers/pages.ts",
      "workers/room/open-socket.ts",
      "workers/serve.ts",
    ],
  },
  cookie: {
    reads: /\breadCookies?\(|headers\.get\("Cookie"\)/,
    files: [
      "app/http/request-cookies.server.ts",
      "app/http/resume-after-sign-in.server.ts",
      "app/http/returned-form.server.ts",
      "app/http/toast.server.ts",
      "workers/answer-request.ts",
      "workers/api.ts",
      "workers/cookies.ts",
      "workers/edge-cache.ts",
      "workers/room/open-socket.ts",
    ],
  },
  header: {
    reads: /\bheaders\.get\(|\breq\.header\(/,
    files: [
      "app/http/read-body.server.ts",
      "app/http/read-form.server.ts",
      "app/http/request-cookies.server.ts",
      "workers/answer-request.ts",
      "workers/api/items.ts",
      "workers/api/payments.ts",
      "workers/bare-page.ts",
      "workers/bearer.ts",
      "workers/cookies.ts",
      "workers/csp-reports.ts",
      "workers/edge-cache.ts",
      "workers/guards.ts",
      "workers/page-twin.ts",
      "workers/request-context.ts",
      "workers/request-log.ts",
      "workers/request-origin.ts",
      "workers/resume-after-sign-in.ts",
      "workers/room/open-socket.ts",
      "workers/room/session-room.ts",
      "workers/security-headers.ts",
      "workers/serve-calendar.ts",
      "workers/serve.ts",
    ],
  },
  form: {
    reads: /\breadForm\(|\bparseForm\(|\.formData\(/,
    files: ["app/http/act.server.ts", "app/http/read-form.server.ts", "workers/api/items.ts"],
  },
  JSON: {
    reads: /\bJSON\.parse\(|\bparseJson\(/,
    files: [
      "app/http/act.server.ts",
      "app/http/resume-after-sign-in.server.ts",
      "app/http/returned-form.server.ts",
      "workers/csp-reports.ts",
      "workers/edge-cache.ts",
      "workers/resume-after-sign-in.ts",
      "workers/room/line-store.ts",
      "workers/room/session-room.ts",
      "workers/room/store.ts",
      "workers/serve.ts",
    ],
  },
  socket: {
    reads: /\bwebSocketMessage\(|\breadClientMessage\(/,
    files: ["workers/room/session-room.ts"],
  },
  Markdown: { reads: /\bunified\(/, files: ["workers/adapters/markdown.ts"] },
};

const sources = ["workers", "app/http"]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith(".ts") && !file.includes("test.ts") && !file.startsWith("workers/local/"))
  // Of the adapters, only Markdown reads what people send.
  .filter((file) => !file.startsWith("workers/adapters/") || file === "workers/adapters/markdown.ts");

test("P3 R-35 every place that reads input from outside is declared, and every kind has a door in the table", () => {
  const found = Object.fromEntries(
    Object.entries(READERS).map(([kind, { reads }]) => [
      kind,
      sources.filter((file) => reads.test(readFileSync(file, "utf8"))).sort(),
    ]),
  );
  expect(found).toEqual(
    Object.fromEntries(Object.entries(READERS).map(([kind, { files }]) => [kind, files])),
  );
  const kinds = new Set(Object.values(DOORS).map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(Object.keys(READERS).sort());
});
