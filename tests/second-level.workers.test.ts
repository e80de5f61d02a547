// Rare fields and links are behind a fold, in the account or beside a list (Y-02). They stay in the HTML
// of their page, so that they work before JavaScript.
import { expect, test } from "vitest";
import { asDeployed } from "./support/as-deployed";
import { makeUser } from "./support/factories";
import { visit } from "./support/visit";

asDeployed();

type Row = { what: string; path: string; selector: string; by?: "visitor" };

/** Each selector names the fold or the place, and the field or link in it. */
const ROWS: Row[] = [
  {
    what: "second names at registering",
    path: "/?auth=register",
    selector: 'details [name="lastName"]',
    by: "visitor",
  },
  { what: "second names in the account", path: "/account", selector: 'main [name="lastName"]' },
  { what: "books", path: "/me", selector: 'main a[href="/books"]' },
  {
    what: "templates as a third kind, beside the list of sessions",
    path: "/events",
    selector: 'main a[href="/challenges/templates"]',
  },
  {
    what: "templates as a third kind, beside a new activity",
    path: "/challenges/create",
    selector: 'main a[href="/challenges/templates"]',
  },
  {
    what: "a session's difficulty",
    path: "/challenges/events/create",
    selector: 'details [name="difficulty"]',
  },
  {
    what: "a session's category, hut and activity",
    path: "/challenges/events/create",
    selector: 'details [name="activitySlug"]',
  },
  { what: "an activity's difficulty", path: "/challenges/create", selector: 'details [name="difficulty"]' },
  {
    what: "the maximum of followers",
    path: "/challenges/create",
    selector: 'details [name="participantLimit"]',
  },
  {
    what: "an activity's goals",
    path: "/challenges/create",
    selector: 'details [name="goals[0].title"]',
  },
  {
    what: "a goal's completions",
    path: "/my/goals?create=1",
    selector: 'details [name="completionsRequired"]',
  },
  { what: "a goal's distance", path: "/my/goals?create=1", selector: 'details [name="distance"]' },
];

test.each(ROWS)("Y-02 a page still has $what, one level down", async ({ path, selector, by }) => {
  const page = await visit(by === "visitor" ? null : await makeUser(), path);
  expect(page.status).toBe(200);
  expect((await page.all(selector)).length, selector).toBeGreaterThan(0);
});

test("Y-02 B-05 the prices of a hundredth are among the token rates", async () => {
  const page = await visit(null, "/tokens");
  expect((await page.texts("#token-rates")).join(" ")).toContain("0.01");
});
