// The OpenAPI document, its reference, and the check of answers (O-10 to O-15).
import { Hono } from "hono";
import { expect, test } from "vitest";
import { z } from "zod";
import { ask, callAs } from "#tests/support/ask";
import { everyCall } from "#tests/support/every-call";
import { makeUser } from "#tests/support/factories";
import { visit } from "#tests/support/visit";
import { usernameRule } from "~/domain/accounts/rules";
import { call } from "~/wire/call";
import { calls } from "~/wire/calls";
import document from "~/wire/openapi.json";
import { checkAnswer } from "./answer-check";
import { type HonoEnv, jsonError, serve } from "./serve";

test("O-10 GET /api/openapi.json answers the document, without a login", async () => {
  const response = await ask("/api/openapi.json");
  expect(response.headers.get("Content-Type")).toContain("application/json");
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(await response.json()).toEqual(document);
});

/** A call through the door, in a run of this kind. */
async function served(isLocalRun: boolean, answer: unknown, deprecated?: Record<string, string>) {
  const door = new Hono<HonoEnv>();
  const made = {
    ...calls.getUser,
    who: "anyone" as const,
    answer: () => answer,
    ...(deprecated ? { deprecated } : {}),
  };
  door.get("/get-user", (c) => {
    c.set("app", { user: null, settings: { isLocalRun } } as never);
    return serve(made as typeof calls.getUser, async () => ({}) as never).respond(c);
  });
  door.onError((thrown, c) => jsonError(c, thrown));
  const response = await door.request("/get-user");
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test("O-12 an answer that differs from its schema fails the request in a local run, and in no deployed one", async () => {
  const failed = await served(true, { id: "one" });
  expect([failed.status, JSON.parse(failed.text).error_code]).toEqual([500, "SERVER_ERROR"]);
  expect(failed.text).not.toContain("schema");
  const passed = await served(false, { id: "one" });
  expect([passed.status, passed.text]).toEqual([200, '{"id":"one"}']);
});

test("O-12 the check refuses a missing field, a field too many and a value of another type", async () => {
  const user = await makeUser();
  const { body } = await callAs(user, "GET", "/get-user");
  const check = (over: object) =>
    checkAnswer("GET /get-user", JSON.parse(JSON.stringify({ ...body, ...over })));
  expect(() => check({})).not.toThrow();
  expect(() => check({ username: undefined })).toThrow(/username/);
  expect(() => check({ password_hash: "x" })).toThrow(/password_hash/);
  expect(() => check({ id: "1" })).toThrow(/id/);
});

test("O-13 each section shows each of its calls with an example, in at most 60 kB and without a script", async () => {
  const contents = await visit(null, "/api/docs");
  const sections = Object.values(await contents.links("nav"));
  expect(sections.length).toBeGreaterThan(20);
  const shown: string[] = [];
  for (const path of sections) {
    const page = await visit(null, path);
    expect([path, page.status]).toEqual([path, 200]);
    expect(new TextEncoder().encode(page.html).length, path).toBeLessThanOrEqual(60_000);
    expect(await page.all("script"), path).toEqual([]);
    const articles = await page.texts("article");
    expect((await page.texts("article pre")).filter((text) => text.startsWith("curl "))).toHaveLength(
      articles.length,
    );
    shown.push(...(await page.texts("article > p:first-of-type code")));
  }
  const routes = Object.values(everyCall).map(({ method, path }) => `${method} ${path}`);
  expect(shown.sort()).toEqual(routes.sort());
});

test("O-13 an unknown section is a page that says so", async () => {
  const { status, html } = await visit(null, "/api/docs/no-such-section");
  expect([status, html.includes("We could not find that.")]).toEqual([404, true]);
});

test("O-14 a call with a deprecated field answers from when it is deprecated", async () => {
  const { headers } = await served(false, {}, { login: "2026-12-01", name: "2026-11-30" });
  expect(headers.get("Deprecation")).toBe(`@${Date.UTC(2026, 10, 30) / 1000}`);
  expect((await served(false, {})).headers.get("Deprecation")).toBeNull();
  for (const { deprecated = {} } of Object.values(everyCall) as { deprecated?: Record<string, string> }[])
    for (const day of Object.values(deprecated)) expect(z.iso.date().safeParse(day).success).toBe(true);
  expect(
    call("GET /x", "Read", { scope: "read", input: z.unknown(), answer: () => null }).deprecated,
  ).toBeUndefined();
});

test("O-15 docs and openapi.json are no usernames, and their paths precede the person's", async () => {
  for (const name of ["docs", "Docs", "openapi.json"]) expect(usernameRule(name, {}), name).not.toBeNull();
  expect(usernameRule("docs", {})).toBe("This username is taken. Please choose another.");
  await makeUser({ username: "docs" });
  expect((await ask("/api/docs")).headers.get("Content-Type")).toContain("text/html");
});
