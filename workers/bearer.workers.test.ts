// Requests with a personal key, through the whole worker (O-03 to O-07).
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { ask, ORIGIN } from "#tests/support/ask";
import { everyCall } from "#tests/support/every-call";
import { appOf, db, makeUser, type TestUser } from "#tests/support/factories";
import { makeGoal } from "#tests/support/goals";
import { filled, pageRoutes } from "#tests/support/route-table";
import { makeSession } from "#tests/support/sessions";
import { type KeyScope, SCOPE_REFUSED } from "~/domain/accounts/api-keys";
import { instant } from "~/domain/time";
import { createKey, revokeKey } from "~/use-cases/accounts/api-keys.server";
import { markOf } from "~/use-cases/made-for.server";
import { hashToken } from "~/use-cases/tokens.server";
import { calls } from "~/wire/calls";
import { createHttp } from "./http";

let user: TestUser;
const keys: Record<string, string> = {};
const newKey = async (owner: TestUser, ...scopes: KeyScope[]) =>
  (await createKey(await appOf(owner, instant(Date.now())), { name: "Test", scopes, days: 30 })).key;
beforeAll(async () => {
  user = await makeUser();
  for (const scope of ["read", "write", "host"] as const) keys[scope] = await newKey(user, scope);
  keys.all = await newKey(user, "read", "write", "host");
});

const bearer = (key = "") => ({ Authorization: `Bearer ${key}` });
async function send(method: string, path: string, key = "", body?: unknown, headers: object = {}) {
  const response = await ask(path, {
    method,
    redirect: "manual",
    headers: { ...bearer(key), ...(body ? { "Content-Type": "application/json" } : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  let parsed: { error_code?: string; message?: string; username?: string } = {};
  try {
    parsed = JSON.parse(text);
  } catch {}
  return { status: response.status, body: parsed, headers: response.headers };
}
const pathFor = (path: string) => path.replace(/\{\w+\}/g, "1");

test("O-03 a key opens the calls of its scopes, and no other call", async () => {
  const opened = async (scope: string, key: string) => {
    const call = Object.values(everyCall).find(
      (one) =>
        (one.scope === scope && one.method === "POST") ||
        (one.scope === scope && scope === "read" && one.who === "signed-in"),
    );
    if (!call) throw new Error(scope);
    const { body } = await send(call.method, pathFor(call.path), key);
    return body.message !== SCOPE_REFUSED;
  };
  for (const scope of ["read", "write", "host"])
    for (const of of ["read", "write", "host"])
      expect([scope, of, await opened(scope, keys[of] ?? "")]).toEqual([scope, of, scope === of]);
});

test("O-04 no key opens a call whose scope is none, whatever its scopes", async () => {
  const closed = Object.values(everyCall).filter(({ scope }) => scope === "none");
  expect(closed.length).toBeGreaterThan(25);
  const key = await newKey(await makeUser(), "read", "write", "host");
  for (const { method, path } of closed.filter((call) => call.path !== everyCall.getCsrfCookie.path)) {
    const { status, body } = await send(method, pathFor(path), key, method === "GET" ? undefined : {});
    expect([path, status, body.error_code, body.message]).toEqual([path, 403, "FORBIDDEN", SCOPE_REFUSED]);
  }
});

test("O-04 every call declares its scope, and payments, security and super admins' calls have none", () => {
  for (const [name, { path, scope, who, method, writes }] of Object.entries(everyCall)) {
    expect(["read", "write", "host", "none"], name).toContain(scope);
    if (/password|passkey|login|logout|register|token|subscri|pricing|practice|payment|account\//.test(path))
      expect([name, scope]).toEqual([name, "none"]);
    if (who === "super-admin") expect([name, scope]).toEqual([name, "none"]);
    if (scope === "read") expect([name, method, writes]).toEqual([name, "GET", false]);
  }
});

test("O-05 a key needs no cookie, XSRF token or Origin, and acts as its owner", async () => {
  const { status, body, headers } = await send("GET", "/get-user", keys.read);
  expect([status, body.username]).toEqual([200, user.username]);
  expect(headers.getSetCookie()).toEqual([]);
  const made = await send("POST", "/api/goals/store", keys.write, { title: "Read" });
  expect(made.status).toBe(201);
  const elsewhere = await send(
    "POST",
    "/api/goals/store",
    keys.write,
    { title: "Read" },
    {
      Origin: "https://elsewhere.example",
      "Sec-Fetch-Site": "cross-site",
    },
  );
  expect(elsewhere.status).toBe(201);
});

test("O-05 an unknown, expired, revoked or malformed key is UNAUTHENTICATED, even beside a valid login cookie", async () => {
  const revoked = await newKey(user, "read");
  await revokeKey(await appOf(user), { key: await hashToken(revoked) });
  const past = await appOf(user, instant(Date.now() - 31 * 24 * 3_600_000));
  const { key: expired } = await createKey(past, { name: "Old", scopes: ["read"], days: 30 });
  const cookie = { Cookie: `login=${user.loginToken}` };
  for (const key of [revoked, expired, "nonsense", "", `${keys.read}x`])
    for (const path of ["/get-user", "/get%2Duser", "/%67et-user", "/api/home", "/api/m%79/goals"]) {
      const { status, body } = await send("GET", path, key, undefined, cookie);
      expect([path, status, body.error_code]).toEqual([path, 401, "UNAUTHENTICATED"]);
    }
});

test("O-05 the cookie beside a key counts for nothing, and neither does the mark of a page", async () => {
  const other = await makeUser();
  const app = await appOf(other);
  const { body } = await send("GET", "/get-user", keys.read, undefined, {
    Cookie: `login=${other.loginToken}`,
  });
  expect(body.username).toBe(user.username);
  const made = await send(
    "POST",
    "/api/goals/store",
    keys.write,
    { title: "Marked" },
    {
      "X-Made-For": markOf(app.user) ?? "",
    },
  );
  expect(made.status).toBe(201);
});

test("O-05 a log by a key belongs to the day of the account's zone, whatever zone a cookie beside it names", async () => {
  const goal = await makeGoal(user);
  const log = (cookie: Record<string, string>) =>
    send("POST", "/api/logs/store-quick-log", keys.write, { goal_id: goal.id, amount: 1 }, cookie);
  expect([(await log({})).status, (await log({ Cookie: "tz=Pacific/Kiritimati" })).status]).toEqual([
    201, 201,
  ]);
  const rows = await db.select().from(schema.logs).where(eq(schema.logs.goalId, goal.id));
  expect(new Set(rows.map(({ day }) => day)).size).toBe(1);
});

test("O-06 pages, forms and the room's socket ignore a key", async () => {
  const page = await ask("/account", {
    redirect: "manual",
    headers: { ...bearer(keys.all), Accept: "text/html" },
  });
  expect(page.headers.get("Location")).toContain("auth=login");
  const form = await ask("/account/security.data", {
    method: "POST",
    redirect: "manual",
    headers: { ...bearer(keys.all), Origin: ORIGIN, Host: new URL(ORIGIN).host },
    body: new URLSearchParams({ intent: "end-other-logins", stay: "1" }),
  });
  expect(await form.text()).toContain("UNAUTHENTICATED");
  const { id } = await makeSession(user);
  const socket = await ask(`/sessions/${id}/socket`, {
    headers: { ...bearer(keys.all), Upgrade: "websocket", Origin: ORIGIN },
  });
  expect(socket.status).not.toBe(101);
  const file = await ask("/account/export/everything.json", {
    redirect: "manual",
    headers: bearer(keys.all),
  });
  expect(file.status).toBe(302);
});

test("O-05 O-06 no route answers by the cookie beside a header with a key, whether the key works or not", async () => {
  const other = await makeUser();
  const session = await makeSession(other);
  const goal = await makeGoal(other);
  const page = { "X-XSRF-TOKEN": "abc", Origin: ORIGIN };
  const cookie = { ...page, Cookie: `login=${other.loginToken}; XSRF-TOKEN=abc` };
  const params = { session: `${session.id}`, goal: `${goal.id}`, person: other.username, tab: "login" };
  type Asked = { name: string; path: string; method?: string; headers?: Record<string, string> };
  const pages = (await pageRoutes())
    .map(({ path }) => filled(path, params))
    .flatMap((path): Asked[] => [
      { name: "page", path, headers: { Accept: "text/html" } },
      { name: "page's data", path: `${path === "/" ? "/_root" : path}.data` },
      { name: "JSON of a page", path: `/api${path}` },
    ]);
  const upgraded = Object.values(everyCall).map(
    ({ method, path }): Asked => ({
      name: "call with Upgrade",
      method,
      path: path.replace(/\{(\w+)\}/g, (_, name: string) =>
        name === "goal" ? `${goal.id}` : `${session.id}`,
      ),
      headers: { Upgrade: "websocket" },
    }),
  );
  const socket: Asked = {
    name: "socket",
    path: `/sessions/${session.id}/socket`,
    headers: { Upgrade: "websocket" },
  };
  const answer = async ({ path, method = "GET", headers = {} }: Asked, more: Record<string, string>) => {
    const response = await ask(path, {
      method,
      redirect: "manual",
      headers: { ...headers, ...more },
    });
    response.webSocket?.accept();
    response.webSocket?.close(1000);
    return { status: response.status, text: await response.text() };
  };
  const wrong: string[] = [];
  let byCookie = 0;
  const routes: Asked[] = [...pages, ...upgraded, socket];
  for (const asked of routes) {
    const isRead = (asked.method ?? "GET") === "GET";
    const alone = await answer(asked, { ...bearer("nonsense"), ...page });
    if (isRead && (await answer(asked, cookie)).text.includes(other.email)) byCookie++;
    for (const key of ["nonsense", keys.read]) {
      const { status, text } = await answer(asked, { ...bearer(key), ...cookie });
      const isSame = key !== "nonsense" || status === alone.status;
      if (!isSame || text.includes(other.email)) wrong.push(`${asked.name} ${asked.path}: ${status}`);
    }
  }
  // With the cookie alone most of these pages name the person.
  expect(byCookie).toBeGreaterThan(50);
  expect(wrong).toEqual([]);
}, 120_000);

/** The calls at a path, apart from the persons and items that match each path of its length. */
const callsAt = (path: string) => {
  const fits = (template: string) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+").replaceAll(".", "\\.")}$`).test(path);
  const all = Object.entries(everyCall).filter(([, call]) => fits(call.path));
  const others = all.filter(([name]) => name !== "viewPerson" && name !== "viewItem");
  return [...new Set((others.length > 0 ? others : all).map(([, { method }]) => method as string))];
};

test("R-100 every call's path answers another method with 405 and the methods that it has, and its own without a key with 401", async () => {
  const wrong: unknown[] = [];
  let refused = 0;
  for (const [name, call] of Object.entries(everyCall)) {
    const path = pathFor(call.path);
    const methods = callsAt(path);
    const allow = methods
      .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
      .sort()
      .join();
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((one) => !methods.includes(one)))
      for (const key of [keys.all, "nonsense"]) {
        const { status, body, headers } = await send(method, path, key);
        // A page may have the address of a call (O-06), and a wrong key opens no person's page at it.
        if (method === "GET" && (status === 200 || status === 302)) continue;
        if (method === "GET" && status === 401 && key === "nonsense") continue;
        const answered = [status, body.error_code, (headers.get("Allow") ?? "").split(", ").sort().join()];
        if (answered.join() !== `405,METHOD_NOT_ALLOWED,${allow}`)
          wrong.push([name, method, path, key === keys.all, ...answered]);
        else refused++;
      }
    if (name === "readTime" || name === "getCsrfCookie") continue;
    for (const Authorization of ["Bearer", "Bearer nonsense", "Basic bm9ib2R5", keys.all ?? ""]) {
      const { status, body, headers } = await send(
        call.method,
        path,
        "",
        call.method === "GET" ? undefined : {},
        { Authorization },
      );
      const answered = [status, body.error_code, headers.get("WWW-Authenticate")];
      if (answered.join() !== "401,UNAUTHENTICATED,Bearer") wrong.push([name, Authorization, ...answered]);
    }
  }
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(1000);
}, 120_000);

test("R-100 an unknown path is NOT_FOUND with a key and without a valid one, in every method", async () => {
  for (const path of [
    "/api/nothing/of/this",
    "/challenge-events/1/joined",
    "/no/such/address",
    "/api/sessions",
  ])
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"])
      for (const key of [keys.all, "nonsense", ""]) {
        const { status, body } = await send(method, path, key);
        expect([method, path, key, status, body.error_code]).toEqual([method, path, key, 404, "NOT_FOUND"]);
      }
});

test("R-100 without credentials a call answers as before, and a browser's page stays a page", async () => {
  expect((await ask("/api/notes", { method: "POST" })).status).toBe(419);
  expect((await ask("/get-user", { method: "DELETE" })).status).toBe(419);
  const visited = await ask("/get-user");
  expect([visited.status, visited.headers.get("WWW-Authenticate")]).toEqual([401, null]);
  const page = await ask("/no/such/address", { headers: { ...bearer(keys.all), Accept: "text/html" } });
  expect([page.status, page.headers.get("Content-Type")]).toEqual([404, "text/html; charset=utf-8"]);
  const behindProxy = await ask("/get-user", {
    headers: { Authorization: "Basic bm9ib2R5", Cookie: `login=${user.loginToken}` },
  });
  expect(behindProxy.status).toBe(200);
});

test("O-06 no answer grants another site's page anything", async () => {
  const { headers } = await send("GET", "/get-user", keys.read, undefined, {
    Origin: "https://elsewhere.example",
  });
  expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  const preflight = await ask("/get-user", {
    method: "OPTIONS",
    headers: { Origin: "https://elsewhere.example", "Access-Control-Request-Headers": "authorization" },
  });
  expect(preflight.status).toBe(405);
});

test("O-06 a key in the address or in a body opens nothing", async () => {
  for (const name of ["access_token", "key", "token", "authorization"]) {
    const response = await ask(`/get-user?${name}=${keys.read}`);
    expect([name, response.status]).toEqual([name, 401]);
  }
});

test("O-07 a key allows 60 writes and 300 reads a minute, and each answer says how many are left", async () => {
  const limited = { ...env, RATE_LIMITS: "on", KEY_READS: undefined, KEY_WRITES: undefined };
  const http = createHttp(async () => new Response(""));
  const key = await newKey(await makeUser(), "read");
  const call = async (method: string, path: string) =>
    http.fetch(
      new Request(`${ORIGIN}${path}`, { method, headers: bearer(key) }),
      limited as unknown as Parameters<typeof http.fetch>[1],
      { waitUntil: () => {}, passThroughOnException: () => {}, props: {} } as unknown as ExecutionContext,
    );
  const left = (response: Response) =>
    ["Limit", "Remaining"].map((name) => Number(response.headers.get(`RateLimit-${name}`)));
  expect(left(await call("GET", "/get-user"))).toEqual([300, 299]);
  for (let sent = 0; sent < 60; sent++) {
    const response = await call("POST", "/api/notes");
    expect([response.status, left(response)]).toEqual([403, [60, 59 - sent]]);
  }
  const refused = await call("POST", "/api/notes");
  expect([refused.status, left(refused)]).toEqual([429, [60, 0]]);
  const reset = Number(refused.headers.get("RateLimit-Reset"));
  expect(reset).toBeGreaterThan(0);
  expect(reset).toBeLessThanOrEqual(60);
  expect(refused.headers.get("Retry-After")).toBe(String(reset));
  expect((await call("GET", "/get-user")).status).toBe(200);
});

test("O-07 a GET that writes counts among the writes of its key, and every other GET among the reads", async () => {
  const http = createHttp(async () => new Response(""));
  const key = await newKey(await makeUser(), "read");
  const limits = { ...env, RATE_LIMITS: "on", KEY_READS: undefined, KEY_WRITES: undefined };
  const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} };
  const writing: string[] = [];
  for (const { method, path, writes } of Object.values(calls)) {
    if (method !== "GET") continue;
    const { headers } = await http.fetch(
      new Request(`${ORIGIN}${pathFor(path)}`, { headers: bearer(key) }),
      limits as unknown as Parameters<typeof http.fetch>[1],
      context as unknown as ExecutionContext,
    );
    expect([path, headers.get("RateLimit-Limit")]).toEqual([path, writes ? "60" : "300"]);
    if (writes) writing.push(path);
  }
  expect(writing.length).toBeGreaterThan(1);
});

test("O-07 the platform's limit refuses what other processes have admitted", async () => {
  const full = { limit: async () => ({ success: false }) };
  const http = createHttp(async () => new Response(""));
  const response = await http.fetch(
    new Request(`${ORIGIN}/get-user`, { headers: bearer(await newKey(await makeUser(), "read")) }),
    { ...env, RATE_LIMITS: "on", KEY_READS: full } as unknown as Parameters<typeof http.fetch>[1],
    { waitUntil: () => {}, passThroughOnException: () => {}, props: {} } as unknown as ExecutionContext,
  );
  expect([response.status, response.headers.get("RateLimit-Remaining")]).toEqual([429, "0"]);
});
