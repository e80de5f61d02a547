// The demo of a new local run, and its refusal by a deployed worker. A second run changes nothing, and
// completes an interrupted run.
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { callAs, dataOf, ORIGIN } from "#tests/support/ask";
import { NOW, type TestUser, testApp } from "#tests/support/factories";
import { createHttp } from "#workers/http";
import type { App } from "~/use-cases/app.server";
import { type Demo, fillDemoData } from "./demo";

const TABLES = [
  ..."users persons logins huts hut_members activities followers sessions participants goals logs notes".split(
    " ",
  ),
  ..."items snippets token_lots token_entries slugs mailbox".split(" "),
];
/** The row count of each table except logins, which each run adds. */
async function counted(): Promise<Record<string, number>> {
  const counts = await env.DB.batch<{ n: number }>(
    TABLES.map((table) => env.DB.prepare(`SELECT count(*) AS n FROM ${table}`)),
  );
  return Object.fromEntries(TABLES.map((table, i) => [table, counts[i]?.results[0]?.n ?? 0]));
}

/** An App that fails after the first `few` calls to texts or rooms: an interrupted run. */
function cutAfter(app: App, what: "texts" | "rooms", few: number): App {
  let calls = 0;
  const count = (one: typeof what) => {
    if (one === what && ++calls > few) throw new Error("cut short");
  };
  const of = (id: number) => {
    count("rooms");
    return app.rooms.of(id);
  };
  const render = async (text: string) => {
    count("texts");
    return app.richText.render(text);
  };
  return { ...app, rooms: { ...app.rooms, of }, richText: { ...app.richText, render } };
}
/** Interruptions between two sessions, and at the end of the session that is over. */
const CUTS = [
  ["texts", 14],
  ["rooms", 1],
] as const;

let demo: Demo;
beforeAll(async () => {
  vi.setSystemTime(NOW);
  // A new local run has no session.
  await env.DB.exec("DELETE FROM sqlite_sequence WHERE name = 'sessions'");
  for (const [what, few] of CUTS)
    await expect(fillDemoData(cutAfter(await testApp(), what, few))).rejects.toThrow("cut short");
  demo = await fillDemoData(await testApp());
});
beforeEach(() => void vi.setSystemTime(NOW));

const signedIn = new Map<string, TestUser>();
async function signIn(role: string): Promise<TestUser> {
  const known = signedIn.get(role);
  if (known) return known;
  const account = demo.accounts.find((one) => one.role === role);
  const { email = "", password = "" } = account ?? {};
  const answer = await callAs(null, "POST", "/login", { email, password });
  expect(answer.status, role).toBe(200);
  const loginToken = /login=([^;]+)/.exec(answer.headers.get("Set-Cookie") ?? "")?.[1] ?? "";
  const { id, username } = answer.body.user;
  const user = { id, personId: id, username, email, loginToken };
  signedIn.set(role, user);
  return user;
}
const pageOf = async (path: string, user: TestUser | null = null) => dataOf(user, path);

describe("X-15 a new local run contains", () => {
  test("X-15 a host, a participant and a super admin, who sign in with the printed passwords", async () => {
    expect(demo.accounts.map(({ role }) => role)).toEqual(["host", "participant", "super admin"]);
    const roles = [];
    for (const { role } of demo.accounts) {
      const { body } = await callAs(await signIn(role), "GET", "/get-user");
      roles.push(body.role_id);
      expect(body.all_remaining_tokens).toBeGreaterThan(10);
    }
    expect(roles).toEqual([1, 1, 10]);
  });

  test("X-15 huts, activities, templates, and sessions that are upcoming, running and over", async () => {
    expect((await pageOf("/api/groups")).groups).toHaveLength(3);
    expect((await pageOf("/api/activities")).challenges).toHaveLength(7);
    expect((await pageOf("/api/activities?templates=1")).challenges).toHaveLength(8);
    const host = await signIn("host");
    const { sessions } = await pageOf("/api/events");
    expect(new Set(sessions.map(({ status }: { status: number }) => status))).toEqual(new Set([0, 1]));
    const ended = (await pageOf("/api/my/sessions", host)).sessions ?? [];
    expect(ended.length).toBeGreaterThan(0);
    const { results } = await env.DB.prepare(`SELECT id FROM sessions WHERE ended_at <= ${NOW}`).all<{
      id: number;
    }>();
    expect(results).toHaveLength(1);
    expect((await pageOf(`/api/sessions/${results[0]?.id}`)).session.status).toBe(2);
  });

  test("X-15 the tour's activity challenge-hut-tour, and its session as the tenth", async () => {
    const { challenge, sessions } = await pageOf("/api/activities/challenge-hut-tour");
    expect(challenge.slug).toBe("challenge-hut-tour");
    expect(sessions).toMatchObject([{ id: 10, status: 0 }]);
    expect((await pageOf("/api/sessions/10")).session).toMatchObject({
      id: 10,
      challenge_slug: "challenge-hut-tour",
    });
  });

  test("X-15 D-11 goals with logs, and a book", async () => {
    const participant = await signIn("participant");
    const { goals } = await pageOf("/api/my/goals", participant);
    expect(goals.length).toBeGreaterThan(2);
    const { logs } = await pageOf("/api/my/logs", participant);
    expect(logs.length).toBeGreaterThan(5);
    const [book] = (await pageOf("/api/books")).books;
    const snippet = await pageOf(`/api/books/${book.slug}/snippets/${book.first_snippet_id}`);
    expect(snippet.snippet.content).toBeTruthy();
  });
});

describe("X-16 the demo data", () => {
  test("X-16 is the same after a second run", async () => {
    const before = await counted();
    expect(await fillDemoData(await testApp())).toEqual(demo);
    expect(await counted()).toEqual(before);
  });

  test("X-16 is paid for: each price is in the ledger, which agrees with the lots", async () => {
    const { results } = await env.DB.prepare(
      "SELECT reason, count(DISTINCT reference) AS n FROM token_entries WHERE amount < 0 GROUP BY reason",
    ).all<{ reason: string; n: number }>();
    const spent = Object.fromEntries(results.map(({ reason, n }) => [reason, n]));
    const { logs, participants, followers } = await counted();
    // Those of the library's templates cost nothing.
    const goals = await env.DB.prepare("SELECT count(*) AS n FROM goals WHERE activity_id IS NULL").first(
      "n",
    );
    expect(spent).toMatchObject({ goal: goals, log: logs, follow: followers });
    expect((spent.join ?? 0) + (spent.host_join ?? 0)).toBe(participants);
    const [sums] = (
      await env.DB.prepare(
        "SELECT (SELECT sum(granted - remaining) FROM token_lots) AS lots, (SELECT -sum(amount) FROM token_entries) AS entries",
      ).all<{ lots: number; entries: number }>()
    ).results;
    expect(sums?.lots).toBe(sums?.entries);
  });

  test("X-16 is refused and absent in production", async () => {
    const before = await counted();
    const app = await testApp();
    const deployed = { ...app, settings: { ...app.settings, isLocalRun: false } };
    await expect(fillDemoData(deployed)).rejects.toThrow("Demo data never goes into production.");
    const http = createHttp(async () => new Response("A page"));
    const request = new Request(`${ORIGIN}/local/seed`, { method: "POST", headers: { Origin: ORIGIN } });
    const production = { ...env, LOCAL_RUN: "", APP_ORIGIN: ORIGIN, MAIL: {} };
    const answer = await http.fetch(request, production, createExecutionContext());
    expect(answer.status).toBe(404);
    expect(await counted()).toEqual(before);
  });
});
