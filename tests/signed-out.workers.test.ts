// Visitors: the answer to an action that needs a login (M-27), and when the scripts of their pages load.
import { expect, test } from "vitest";
import { api } from "#workers/api";
import { asDeployed } from "./support/as-deployed";
import { callAs } from "./support/ask";
import { makeUser } from "./support/factories";
import { post, visit } from "./support/visit";

asDeployed();

const SIGN_IN = "Please sign in to use that feature.";
/** The actions of V-19, with their bodies. */
const NAMED: [string, string, object][] = [
  ["POST", "/challenges/any/join", {}],
  ["POST", "/groups/any/join", {}],
  ["POST", "/groups/store", { hut: { title: "A hut" } }],
  ["POST", "/challenges", { challenge: { title: "From a template" } }],
  ["POST", "/challenges/any/posts", { item: { title: "Hello", content: "Hello" } }],
  ["POST", "/messages", { content: "Hello", messageable_type: "challenge_event", messageable_id: 1 }],
  ["POST", "/api/goals/store", { challenge: { tasks: [{ title: "Read" }] } }],
  ["POST", "/api/logs/store-quick-log", { goal_id: 1 }],
  ["POST", "/challenge-events/1/logs", { title: "Read" }],
  ["POST", "/api/notes", { title: "Note" }],
];

test("M-27 every call that needs a login refuses a visitor with the same sentence, before any other check", async () => {
  const needing = api.filter(({ call }) => call.who !== "anyone");
  expect(needing.length).toBeGreaterThan(60);
  const asked: [string, string, object][] = [
    ...NAMED,
    ...needing.map(({ call }): [string, string, object] => [
      call.method,
      call.path.replace(/\{\w+\}/g, "1"),
      {},
    ]),
  ];
  for (const [method, path, body] of asked) {
    const answer = await callAs(null, method, path, method === "GET" ? undefined : body);
    expect([answer.status, answer.body.message, answer.body.error_code], `${method} ${path}`).toEqual([
      401,
      SIGN_IN,
      "UNAUTHENTICATED",
    ]);
  }
});

test("M-27 a visitor who filters a list by their own gets the same sentence", async () => {
  for (const path of ["/api/home?joined=1", "/api/activities?joined=1", "/api/groups?joined=1"]) {
    const { status, body } = await callAs(null, "GET", path);
    expect([path, status, body.message ?? body]).toEqual([path, 401, SIGN_IN]);
  }
});

const TEXTS = [
  "/about",
  "/terms-of-service",
  "/privacy-policy",
  "/pricing",
  "/no-such-page/at/all",
  "/no-one",
];
const SCRIPTS = 'script, link[rel="modulepreload"], link[itemprop="later"]';

test("a page of text or an error has no script for a visitor, and all scripts for a user", async () => {
  const user = await makeUser();
  for (const path of TEXTS) {
    const page = await visit(null, path);
    expect(await page.all(SCRIPTS), path).toEqual([]);
    expect(page.html, path).toContain("</footer>");
    expect((await (await visit(user, path)).all('script[type="module"]')).length, path).toBe(1);
  }
});

test("a dialog over a page of text has its scripts", async () => {
  for (const path of ["/about?auth=login", "/pricing?expand=goals_sub", "/no-one?auth=register"]) {
    const page = await visit(null, path);
    expect((await page.all("dialog[open]")).length, path).toBe(1);
    expect((await page.all('script[type="module"]')).length, path).toBe(1);
  }
});

test("a visitor's list starts its scripts as Remix does", async () => {
  for (const path of ["/", "/events", "/activities", "/groups", "/books"]) {
    const page = await visit(null, path);
    expect((await page.all('script[type="module"]')).length, path).toBe(1);
    expect((await page.all('link[rel="modulepreload"]')).length, path).toBeGreaterThan(2);
  }
});

test("the theme is chosen by a form, which returns to its page and ignores other values", async () => {
  const page = await visit(null, "/about");
  const [form] = await page.all('footer form[method="post"]');
  expect(form?.attributes.action).toBe("/account/theme");
  const chosen = await post(null, "/account/theme", { next: "/about?x=1", theme: "dark" });
  expect([chosen.status, chosen.location]).toEqual([302, "/about?x=1"]);
  expect(chosen.headers.get("Set-Cookie")).toContain("theme=dark; Path=/");
  const odd = await post(null, "/account/theme", { next: "https://elsewhere.example/", theme: "red; x" });
  expect(odd.location).toBe("/");
  expect(odd.headers.get("Set-Cookie")).toContain("theme=system; Path=/");
});
