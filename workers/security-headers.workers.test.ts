// The headers of every kind of answer, the reports' address, and GETs that write.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { ask, askSecurely, callAs, ORIGIN } from "#tests/support/ask";
import { makeUser } from "#tests/support/factories";
import { filled, pageRoutes } from "#tests/support/route-table";
import { RELEASE } from "~/domain/log-line";
import { api } from "./api";
import { createHttp } from "./http";

const EXPECTED = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

test("X-03 every answer carries the security headers: pages, data, calls, errors, the clock, uploads", async () => {
  for (const path of [
    "/about",
    "/about.data",
    "/api/home",
    "/api/none",
    "/api/time",
    "/uploads/none.png",
    "/x/y/z",
  ]) {
    const answer = await ask(path);
    await answer.text();
    expect(Object.fromEntries(answer.headers), path).toMatchObject(EXPECTED);
  }
});

/** Every address that answers a GET: pages, page data, calls, and paths without a use case. */
async function everyDoor(): Promise<string[]> {
  const pages = pageRoutes().map(({ path }) => filled(path, { tab: "login", file: "logs.csv" }));
  const calls = api
    .filter(({ call }) => call.method === "GET" && !call.path.endsWith("/stream"))
    .map(({ call }) => call.path.replace(/\{\w+\}/g, "1"));
  const others = ["/about.data", "/api/none", "/api/time", "/uploads/none.png", "/sanctum/csrf-cookie", "/%"];
  return [...new Set([...pages, ...calls, ...others, "/sessions/1/socket", "/webhooks/stripe"])];
}

type Answer = { path: string; status: number; headers: Headers; body: string };

/** Asks each of them over https, signed in, as a page of another site would. */
async function everyAnswer(method: string): Promise<Answer[]> {
  const user = await makeUser();
  const headers = {
    Cookie: `__Host-login=${user.loginToken}`,
    Origin: "https://evil.example",
    "Access-Control-Request-Method": "POST",
  };
  const answers: Answer[] = [];
  for (const path of await everyDoor()) {
    const answer = await askSecurely(path, { method, redirect: "manual", headers });
    answers.push({ path, status: answer.status, headers: answer.headers, body: await answer.text() });
  }
  return answers;
}

describe("every answer", () => {
  let answers: Answer[];
  beforeAll(async () => {
    answers = await everyAnswer("GET");
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(45);
  });
  const wrong = (problemOf: (answer: Answer) => string | null) =>
    answers.flatMap((answer) => {
      const problem = problemOf(answer);
      return problem === null ? [] : [`${answer.path}: ${answer.status}: ${problem}`];
    });

  test("X-03 over https asks for https for a year, subdomains included", () => {
    const found = wrong(({ headers }) => {
      const sent = headers.get("Strict-Transport-Security");
      return sent === "max-age=31536000; includeSubDomains" ? null : `${sent}`;
    });
    expect(found).toEqual([]);
  });

  test("X-03 has a policy without plugins, base address and frames, and runs only the page's own scripts", () => {
    const found = wrong(({ headers, body }) => {
      const policy = headers.get("Content-Security-Policy") ?? "";
      const directives = new Map(policy.split("; ").map((line) => line.split(/ (.*)/s) as [string, string]));
      for (const name of ["object-src", "base-uri", "frame-ancestors"])
        if (directives.get(name) !== "'none'") return `${name} ${directives.get(name)}`;
      if (!headers.get("Content-Type")?.startsWith("text/html"))
        return directives.get("default-src") === "'none'" ? null : policy;
      const scripts = directives.get("script-src") ?? "";
      const nonce = /'nonce-([\w-]{22})'/.exec(scripts)?.[1] ?? "no nonce";
      if (scripts !== `'self' 'nonce-${nonce}' https://js.stripe.com`) return scripts;
      const inline = [...body.matchAll(/<script(?![^>]*\bsrc=)([^>]*)>/g)].map(([, found = ""]) => found);
      return inline.every((attributes) => attributes.includes(`nonce="${nonce}"`)) ? null : inline.join();
    });
    expect(found).toEqual([]);
  });

  test("X-03 opens itself to no other origin", () => {
    const found = wrong(
      ({ headers }) => [...headers.keys()].find((name) => name.startsWith("access-control-")) ?? null,
    );
    expect(found).toEqual([]);
  });

  test("X-01 with a body states its type, and a text its encoding", () => {
    const isOfType: [begins: RegExp, type: RegExp][] = [
      [/^<!doctype html>/i, /^text\/html; charset=utf-8$/i],
      [/^<\?xml/, /^application\/xml; charset=utf-8$/i],
      [/^[[{]/, /^(application\/([\w.-]+\+)?json(; charset=utf-8)?|text\/x-script; charset=utf-8)$/i],
      [/^/, /^text\/(plain|csv|x-script); ?charset=utf-8$/i],
    ];
    const found = wrong(({ headers, body }) => {
      const type = headers.get("Content-Type") ?? "no type";
      const [, expected] = isOfType.find(([begins]) => begins.test(body)) ?? [];
      return body === "" || expected?.test(type) ? null : `${type}: ${body.slice(0, 20)}`;
    });
    expect(found).toEqual([]);
  });

  test("R-40 to a signed-in user is never cached, unless it is the same for everybody", () => {
    const FOR_ALL = ["/robots.txt", "/sitemap.xml", "/site.webmanifest"];
    const found = wrong(({ path, headers }) => {
      const kept = headers.get("Cache-Control") ?? "";
      return /no-store/.test(kept) || FOR_ALL.includes(path) ? null : kept;
    });
    expect(found).toEqual([]);
  });
});

test("X-03 no address answers a preflight or an unknown method", async () => {
  for (const answer of await everyAnswer("OPTIONS"))
    expect([answer.path, answer.status, answer.headers.get("Allow"), answer.body]).toEqual([
      answer.path,
      405,
      expect.stringMatching(/^GET, HEAD/),
      "",
    ]);
});

test("R-40 page data and JSON errors are never cached", async () => {
  const user = await makeUser();
  for (const path of ["/my/goals.data", "/account.data", "/api/goals/999999", "/api/none"]) {
    const answer = await ask(path, { headers: { Cookie: `login=${user.loginToken}` } });
    await answer.text();
    expect(answer.headers.get("Cache-Control"), path).toContain("no-store");
  }
});

const report = (body: string, type = "application/csp-report") =>
  ask("/api/csp-reports", { method: "POST", headers: { "Content-Type": type }, body });

test("X-03 a browser's report needs neither login nor token, and its log line holds no query", async () => {
  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  const body = {
    "document-uri": `${ORIGIN}/reset-password?token=secret`,
    "blocked-uri": "https://evil.example/x?y",
  };
  const answer = await report(
    JSON.stringify({ "csp-report": { ...body, "effective-directive": "script-src" } }),
  );
  const lines = said.mock.calls.map(String);
  said.mockRestore();
  expect(answer.status).toBe(204);
  expect(lines).toEqual([
    JSON.stringify({
      event: "csp-report",
      directive: "script-src",
      page: `${ORIGIN}/reset-password`,
      blocked: "https://evil.example/x",
      release: RELEASE,
    }),
  ]);
  expect((await report("{}")).status).toBe(422);
  expect((await report("x", "text/plain")).status).toBe(415);
  expect((await report("x".repeat(17_000))).status).toBe(413);
});

test("X-03 R-25 reports are limited per network, whatever user they claim", async () => {
  const http = createHttp(async () => new Response());
  vi.spyOn(console, "log").mockImplementation(() => {});
  const send = async (ip: string) => {
    const context = createExecutionContext();
    const body = JSON.stringify({ "csp-report": { "blocked-uri": "inline" } });
    const headers = { "Content-Type": "application/csp-report", "CF-Connecting-IP": ip };
    const request = new Request(`${ORIGIN}/api/csp-reports`, { method: "POST", headers, body });
    const { status } = await http.fetch(request, { ...env, RATE_LIMITS: "on" }, context);
    await waitOnExecutionContext(context);
    return status;
  };
  const statuses: number[] = [];
  for (let n = 0; n < 62; n++) statuses.push(await send(`2001:db8:c5b::${n}`));
  vi.restoreAllMocks();
  expect(statuses).toEqual([...Array(60).fill(204), 429, 429]);
  expect(await send("2001:db8:c5c::1")).toBe(204);
});

test("X-03 a GET that writes is refused to another site's page, and answers a caller without the header", async () => {
  const user = await makeUser();
  for (const path of ["/tokens/get-payment-intent", "/challenges/none/prompt", "/challenges/none/stream"]) {
    const from = (headers: Record<string, string>) => callAs(user, "GET", path, undefined, headers);
    expect((await from({ "Sec-Fetch-Site": "cross-site" })).status, path).toBe(419);
    for (const headers of [{}, { "Sec-Fetch-Site": "same-origin" }])
      expect((await from(headers as Record<string, string>)).status, path).not.toBe(419);
  }
});

test("X-02 an invalid database bookmark is ignored", async () => {
  const user = await makeUser();
  const answer = await ask("/api/home", {
    headers: { Cookie: `login=${user.loginToken}; d1=first-primary'; DROP` },
  });
  expect(answer.status).toBe(200);
});
