// The order of a request: guards, status codes and headers.
import { createExecutionContext, env } from "cloudflare:test";
import { TrieRouter } from "hono/router/trie-router";
import { describe, expect, test, vi } from "vitest";
import { PASSWORD, someone, tokenOf } from "#tests/support/accounts";
import { ask, askSecurely, callAs, ORIGIN, SECURE_ORIGIN } from "#tests/support/ask";
import { makeUser } from "#tests/support/factories";
import { assets } from "#tests/support/pages";
import { DEMO_ACCOUNTS } from "~/domain/accounts/demo";
import { createApp } from "./create-app";
import type { Env } from "./env";
import { createHttp } from "./http";

test("R-27 the clock answers epoch milliseconds, uncached", async () => {
  const answer = await ask("/api/time");
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
  const { now } = (await answer.json()) as { now: number };
  expect(now).toBeGreaterThan(1.7e12);
});

test("R-27 the clock reads neither D1 nor a room, even for a signed-in user", async () => {
  const user = await makeUser();
  const touched = new Proxy(
    {},
    {
      get(_, name) {
        throw new Error(`touched: ${String(name)}`);
      },
    },
  );
  const bare = { ...env, DB: touched, ROOMS: touched, COUNTERS: touched, UPLOADS: touched } as unknown as Env;
  const http = createHttp(async () => new Response("a page"));
  const asked = new Request(`${ORIGIN}/api/time`, { headers: { Cookie: `login=${user.loginToken}` } });
  const answer = await http.fetch(asked, bare, createExecutionContext());
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ now: expect.any(Number) });
  // Any other request reads D1.
  const page = await http.fetch(new Request(`${ORIGIN}/`), bare, createExecutionContext());
  expect(page.status).toBe(500);
});

test("X-02 a path with a backslash or a broken escape gets the 404 page", async () => {
  for (const path of [
    "/%5C",
    "/%5c.data",
    "/events/%5Cx",
    "/%",
    "/%FF/goals",
    "/sessions/%E0%A4%A",
    "/uploads/%",
  ]) {
    const page = await ask(path, { headers: { Accept: "text/html" } });
    expect(page.status, path).toBe(404);
    expect(await page.text(), path).toContain("<h1>");
  }
  const call = await ask("/api/group/%5C");
  expect([call.status, ((await call.json()) as { error_code: string }).error_code]).toEqual([
    404,
    "NOT_FOUND",
  ]);
});

test("P3 R-35 a path over 1 kB or 12 segments is refused before any routing", async () => {
  const routed = vi.spyOn(TrieRouter.prototype, "match");
  const pages = vi.fn(async () => new Response("a page"));
  const http = createHttp(pages);
  const asked = async (path: string, accept: string) => {
    routed.mockClear();
    pages.mockClear();
    const request = new Request(ORIGIN + path, { headers: { Accept: accept } });
    const answer = await http.fetch(request, env, createExecutionContext());
    const longest = Math.max(0, ...routed.mock.calls.map(([, path]) => path.length));
    return { status: answer.status, text: await answer.text(), longest, paged: pages.mock.calls.length };
  };
  const eight = "a/".repeat(4000);
  for (const path of [
    `/${eight}`,
    `/api/${eight}`,
    `/sessions/1/${"x".repeat(1024)}`,
    "/a/b/c/d/e/f/g/h/i/j/k/l/m",
    "/a/b/c/d/e/f/g/h/i/j/k/l/m.data",
    `/uploads/${"%20".repeat(350)}`,
  ])
    for (const accept of ["text/html", "application/json"]) {
      const { status, text, longest, paged } = await asked(path, accept);
      expect([path.slice(0, 30), status, paged, longest <= 1]).toEqual([path.slice(0, 30), 404, 0, true]);
      const isPage = accept === "text/html" && !path.startsWith("/api/");
      if (isPage) expect(text).toContain("<h1>");
      else expect(JSON.parse(text)).toMatchObject({ error_code: "NOT_FOUND" });
    }
  for (const path of ["/a/b/c/d/e/f/g/h/i/j/k/l", `/${"x".repeat(1023)}`])
    expect(await asked(path, "text/html")).toMatchObject({ status: 200, paged: 1 });
  routed.mockRestore();
});

const manifestOf = (links: readonly string[], version: string = assets.version) =>
  `/__manifest?version=${version}&${links.map((path) => `p=${path}`).join("&")}`;
const linksTo = (count: number) => Array.from({ length: count }, (_, n) => `/sessions/${n}`);
const deep = (count: number) => Array.from({ length: count }, (_, n) => `/${n}${"/a".repeat(11)}`);

test("P3 R-35 a request for the manifest with a path that no address has is refused before Remix matches it", async () => {
  const pages = vi.fn(async () => new Response("a page"));
  const http = createHttp(pages);
  const asked = async (path: string) => {
    pages.mockClear();
    const answer = await http.fetch(new Request(ORIGIN + path), env, createExecutionContext());
    await answer.text();
    return [answer.status, pages.mock.calls.length];
  };
  for (const path of ["/a".repeat(3000), `/${"x".repeat(1024)}`, "/%25", "/%255C"])
    expect([path, ...(await asked(manifestOf([path])))]).toEqual([path, 400, 0]);
  expect(await asked(manifestOf(["/sessions/1"]))).toEqual([200, 1]);
  expect(await asked(`/?${"index=a&".repeat(250)}`)).toEqual([200, 1]);
  expect(await asked(`/?${"index=a&".repeat(251)}`)).toEqual([400, 0]);
});

test("P3 R-35 a page with more than 150 links gets every route without matching them, and any other page its own", async () => {
  const routesOf = async (links: string[]) => {
    const answer = await ask(manifestOf(links));
    expect([links.length, answer.status]).toEqual([links.length, 200]);
    expect(answer.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    return Object.keys(await answer.json<object>());
  };
  const all = Object.keys(assets.routes);
  expect(all.length).toBeGreaterThan(60);
  const few = await routesOf(linksTo(149));
  expect(few).toContain("routes/sessions/details");
  expect(few.length).toBeLessThan(10);
  for (const links of [linksTo(150), linksTo(330), deep(20)]) expect(await routesOf(links)).toEqual(all);
  // An older build's page is reloaded, however many links it has.
  const stale = await ask(manifestOf(linksTo(200), "older"));
  expect([stale.status, stale.headers.get("X-Remix-Reload-Document")]).toEqual([204, "true"]);
});

test("D-07 an answer that a shared cache may keep sets no cookie", async () => {
  const { loginToken } = await makeUser();
  for (const path of ["/robots.txt", "/sitemap.xml", "/site.webmanifest"])
    for (const Cookie of [
      `login=${loginToken}`,
      `login=${loginToken}; hint=old; toast=hello`,
      "hint=old",
      "",
    ]) {
      const answer = await ask(path, { headers: Cookie ? { Cookie } : {} });
      await answer.text();
      expect(answer.headers.get("Cache-Control"), path).toContain("public");
      expect([path, Cookie, answer.headers.getSetCookie()]).toEqual([path, Cookie, []]);
    }
});

test("X-03 a form of our own pages is accepted whatever its Host and X-Forwarded-Host say", async () => {
  for (const headers of [{}, { Host: "a b" }, { "X-Forwarded-Host": "evil.example" }] as Record<
    string,
    string
  >[]) {
    const body = new URLSearchParams({ email: "nobody@example.com" });
    const page = await ask("/forgot-password", {
      method: "POST",
      headers: { Origin: ORIGIN, ...headers },
      body,
    });
    expect(page.status).toBe(200);
    await page.text();
  }
  const refused = await ask("/forgot-password", {
    method: "POST",
    headers: { Origin: "https://evil.example", "X-Forwarded-Host": "evil.example" },
    body: new URLSearchParams({ email: "nobody@example.com" }),
  });
  expect(refused.status).toBe(419);
});

test("X-01 an unknown call answers NOT_FOUND in the one error shape", async () => {
  const answer = await ask("/api/nowhere");
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({
    error_code: "NOT_FOUND",
    errors: [expect.any(String)],
    fields: {},
  });
});

test("C-07 X-03 scripts can read the XSRF cookie that the call sets", async () => {
  const answer = await ask("/sanctum/csrf-cookie");
  expect(answer.status).toBe(204);
  const cookie = answer.headers.get("Set-Cookie") ?? "";
  expect(cookie).toMatch(/^XSRF-TOKEN=[\w-]{20,}/);
  expect(cookie).not.toMatch(/HttpOnly/i);
});

const asPerson = {
  Accept: "text/html,application/xhtml+xml",
  "Content-Type": "application/x-www-form-urlencoded",
};

test("X-03 a cross-site form is refused with a page that explains it and links home, and a call with JSON", async () => {
  const from = (headers: Record<string, string>) =>
    ask("/forgot-password", {
      method: "POST",
      body: "email=a",
      headers: { Origin: "https://evil.example", ...headers },
    });
  const page = await from(asPerson);
  expect([page.status, page.headers.get("Content-Type")]).toEqual([419, "text/html; charset=UTF-8"]);
  expect(page.headers.get("Content-Security-Policy")).toContain("default-src 'self'");
  const html = await page.text();
  expect(html).toContain("<title>That did not come from here · ");
  expect(html).toContain("This request did not come from our own pages.");
  expect(html).toContain('<meta name="robots" content="noindex">');
  expect(html).toContain('<a href="/">Go home</a>');
  const call = await from({});
  expect(await call.json()).toMatchObject({ error_code: "CSRF_MISMATCH" });
});

test("X-02 when no page can be rendered, the answer has an error number and a link home, and never the cause", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  const http = createHttp(async () => {
    throw new Error("the database <is> gone");
  });
  const context = createExecutionContext();
  const answer = await http.fetch(new Request(`${ORIGIN}/about`, { headers: asPerson }), env, context);
  const html = await answer.text();
  expect([answer.status, answer.headers.get("X-Content-Type-Options")]).toEqual([500, "nosniff"]);
  expect(html).toContain("<h1>The light went out</h1>");
  expect(html).toMatch(/tell us this number: <code>[\da-f-]{36}<\/code>/);
  expect(html).not.toContain("database");
  expect(String(said.mock.calls[0])).toContain("the database <is> gone");
  said.mockRestore();
});

test("P-45 X-16 a run with local settings opens the mailbox only on a loopback host", async () => {
  const http = createHttp(
    async (_, { app }) => new Response(null, { status: app.settings.isLocalRun ? 200 : 404 }),
  );
  const statusOf = async (origin: string, path: string, method = "GET") => {
    const asked = new Request(origin + path, {
      method,
      headers: { Origin: origin, "Sec-Fetch-Site": "same-origin" },
    });
    return (await http.fetch(asked, { ...env, LOCAL_RUN: "yes" }, createExecutionContext())).status;
  };
  for (const host of ["bothy.workers.dev", "127.0.0.1.example.com", "10.0.0.7", "localhost.example.com"])
    for (const [path, method] of [
      ["/local/mailbox.json"],
      ["/local/mailbox"],
      ["/local/seed", "POST"],
    ] as const)
      expect([host, path, await statusOf(`https://${host}`, path, method)]).toEqual([host, path, 404]);
  for (const host of ["127.0.0.1:8787", "localhost:8787", "[::1]:8787", "bothy.localhost"])
    for (const path of ["/local/mailbox.json", "/local/mailbox"])
      expect([host, path, await statusOf(`http://${host}`, path)]).toEqual([host, path, 200]);
});

test("X-16 a cron of a local run, which has no request, takes the address of the local server", async () => {
  const LOCAL_ORIGIN = "http://127.0.0.1:8123";
  const ofCron = async (over: object) => {
    const cron = { ...env, APP_ORIGIN: "", LOCAL_RUN: "yes", ...over };
    const { app } = await createApp(cron, { defer: () => {} });
    return [app.settings.origin, app.settings.isLocalRun];
  };
  expect(await ofCron({ LOCAL_ORIGIN })).toEqual([LOCAL_ORIGIN, true]);
  expect(await ofCron({ LOCAL_ORIGIN, APP_ORIGIN: "https://bothy.example" })).toEqual([
    "https://bothy.example",
    true,
  ]);
});

/** Headers of proxies, which may send any Host. */
const PROXIED: Record<string, string>[] = [
  { Forwarded: "for=203.0.113.7" },
  { Via: "1.1 caddy" },
  { "X-Forwarded-For": "203.0.113.7" },
  { "X-Forwarded-Proto": "https" },
  { "X-Forwarded-Host": "bothy.example.org" },
];

test("P-45 X-16 a request that a proxy passed on belongs to no local run, whatever its Host says", async () => {
  const http = createHttp(
    async (_, { app }) => new Response(null, { status: app.settings.isLocalRun ? 200 : 404 }),
  );
  const statusOf = async (path: string, headers: Record<string, string>) => {
    const asked = new Request(`http://127.0.0.1:8787${path}`, { headers });
    return (await http.fetch(asked, { ...env, LOCAL_RUN: "yes" }, createExecutionContext())).status;
  };
  for (const headers of PROXIED)
    for (const path of ["/local/mailbox.json", "/a-page"])
      expect([headers, path, await statusOf(path, headers)]).toEqual([headers, path, 404]);
  // The development server names the Host a second time.
  expect(await statusOf("/a-page", { "X-Forwarded-Host": "127.0.0.1:8787" })).toBe(200);
});

test("X-16 a demo account signs in only on the machine that runs Bothy, and its login counts nowhere else", async () => {
  const { email } = await makeUser({ roleId: 10 });
  const [demo] = DEMO_ACCOUNTS.filter(({ role }) => role === "super admin");
  if (!demo) throw new Error("no demo account");
  await makeUser();
  const registered = await callAs(null, "POST", "/register", someone({ email: demo.email }));
  expect(registered.status).toBe(201);
  const signIn = (headers: Record<string, string>) =>
    callAs(null, "POST", "/login", { email: demo.email, password: PASSWORD }, headers);
  const near = await signIn({});
  expect(near.status).toBe(200);
  const Cookie = `login=${tokenOf(near.headers)}`;
  const me = async (headers: Record<string, string>) =>
    (await ask("/get-user", { headers: { Cookie, ...headers } })).status;
  expect(await me({})).toBe(200);
  for (const headers of PROXIED) {
    const away = await signIn(headers);
    expect([headers, away.status, away.body.message, tokenOf(away.headers)]).toEqual([
      headers,
      403,
      "The demo accounts sign in only on the machine that runs this site.",
      "",
    ]);
    expect([headers, await me(headers)]).toEqual([headers, 401]);
    const again = await callAs(null, "POST", "/register", someone({ email: demo.email }), headers);
    expect([headers, again.status]).toEqual([headers, 403]);
  }
  expect(email).not.toBe(demo.email);
});

describe("a missing or wrong setting is named", () => {
  const healthOf = async (over: object) => {
    const http = createHttp(async () => new Response("A page"));
    const broken = { ...env, ...over } as unknown as Env;
    const of = async (path: string) =>
      http.fetch(new Request(`${ORIGIN}${path}`), broken, createExecutionContext());
    const page = await of("/about");
    const health = await of("/api/health");
    return { page, status: health.status, body: await health.json<{ problems: string[] }>() };
  };
  test.each([
    [{ PER_PAGE: undefined }, "PER_PAGE is not set."],
    [{ EDGE_CACHE: "yes" }, "EDGE_CACHE is neither on nor off."],
    [{ ROOM_CAPACITY: "many" }, "ROOM_CAPACITY is not a whole number above 0."],
    [{ APP_NAME: "" }, "APP_NAME is not set."],
    [{ APP_ORIGIN: undefined }, "APP_ORIGIN is not set."],
    [{ APP_ORIGIN: "", LOCAL_RUN: "" }, "APP_ORIGIN is not set."],
    [{ APP_ORIGIN: "https://bothy.example/app" }, "APP_ORIGIN is not an address without a path."],
    [{ MAIL_FROM: undefined }, "MAIL_FROM is not set."],
    [{ DB: undefined }, "DB is not bound."],
    [{ ROOMS: undefined }, "ROOMS is not bound."],
    [{ MEETING_BASE: "http://meet.example" }, "MEETING_BASE is not an https address without a query."],
    [{ ALERT_MAIL: "nobody" }, "ALERT_MAIL is not an email address."],
  ])("%j at /api/health and in the log, and no page is a 500", async (over, sentence) => {
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    const { page, status, body } = await healthOf(over);
    expect([page.status, await page.text()]).toEqual([
      503,
      "This site is not set up completely. Its log and /api/health name what is missing.",
    ]);
    expect([status, body]).toEqual([503, { ok: false, problems: [sentence] }]);
    expect(said.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
      { event: "configuration-incomplete", problems: [sentence], release: "dev" },
    ]);
    said.mockRestore();
  });
});

test("ASVS 12.2.1 a deployed worker redirects a typed http address, and refuses a call, a form and a socket in clear text", async () => {
  const deployed = { ...env, APP_ORIGIN: "https://bothy.example" };
  const reached: string[] = [];
  const http = createHttp(async ({ url }) => {
    reached.push(url);
    return new Response("a page");
  });
  const asked = (url: string, init: RequestInit) =>
    http.fetch(new Request(url, init), deployed, createExecutionContext());
  const typed = await asked("http://other.example/tokens?a=%2Fb", { headers: asPerson });
  expect([typed.status, typed.headers.get("Location")]).toEqual([301, "https://bothy.example/tokens?a=%2Fb"]);
  for (const [path, init] of [
    ["/api/home", {}],
    ["/api/time", {}],
    ["/uploads/none.png", {}],
    ["/tokens.data", { headers: { Accept: "*/*" } }],
    ["/auth/login", { method: "POST", headers: asPerson, body: "email=a" }],
    ["/sessions/1/socket?watch=1", { headers: { ...asPerson, Upgrade: "websocket" } }],
  ] as [string, RequestInit][]) {
    const refused = await asked(`http://bothy.example${path}`, init);
    expect([path, refused.status, refused.headers.get("Location")]).toEqual([path, 403, null]);
  }
  expect(reached).toEqual([]);
  expect((await asked("https://bothy.example/about", { headers: asPerson })).status).toBe(200);
});

test("X-03 over https every cookie is Secure and bound to the host; XSRF-TOKEN keeps its documented name", async () => {
  const { email, username } = someone();
  const form = { email, username, password: PASSWORD, passwordConfirmation: PASSWORD, terms: "on" };
  const answer = await askSecurely("/auth/register", {
    method: "POST",
    redirect: "manual",
    headers: { ...asPerson, Origin: SECURE_ORIGIN, Host: new URL(SECURE_ORIGIN).host },
    body: new URLSearchParams(form),
  });
  expect(answer.status).toBe(302);
  const page = await askSecurely("/about", { headers: asPerson });
  await page.text();
  const cookies = [...answer.headers.getSetCookie(), ...page.headers.getSetCookie()];
  const named = new Map(cookies.map((line) => [line.slice(0, line.indexOf("=")), line.toLowerCase()]));
  expect([...named.keys()].sort()).toEqual([
    "XSRF-TOKEN",
    "__Host-d1",
    "__Host-device",
    "__Host-login",
    "__Host-toast",
  ]);
  for (const [name, line] of named) {
    expect([name, line.includes("; secure")]).toEqual([name, true]);
    expect([name, line.includes("; path=/;"), line.includes("domain=")]).toEqual([name, true, false]);
    expect([name, /; samesite=(lax|strict)/.test(line)]).toEqual([name, true]);
    expect([name, line.includes("; httponly")]).toEqual([name, !/XSRF|toast/.test(name)]);
  }
});

test("X-03 over https a cookie without the prefix is ignored, because another host of the domain may have set it", async () => {
  const themeOf = async (Cookie: string) => {
    const page = await askSecurely("/about", { headers: { ...asPerson, Cookie } });
    return /<html[^>]*data-theme="(\w+)"/.exec(await page.text())?.[1];
  };
  expect(await themeOf("__Host-theme=dark")).toBe("dark");
  expect(await themeOf("theme=dark")).toBe("system");
});
