// The role matrix of the pages, compared with the lines in pages.ts; visit.ts says what each visit asserts.
import { beforeAll, expect, test } from "vitest";
import { ask, callAs } from "../support/ask";
import { pageRoutes } from "../support/route-table";
import { assemble, type Cast, isAsked, type Role, type Target, wrongCells } from "./cast";
import { PAGE_ROWS } from "./pages";
import { goalOf } from "./session-things";
import { cellsOf, type Row } from "./table";
import { shelf } from "./things";
import { addLogAndNote, FIRST_ID, furnish } from "./user-ids";
import { visitCell, WITH_TWIN } from "./visit";

let cast: Cast;
let things: ReturnType<typeof shelf>;
beforeAll(async () => {
  cast = await assemble(FIRST_ID);
  things = shelf(cast, furnish);
  // For the pages of people's own things.
  for (const { role, user } of cast.actors)
    if (user && role !== "guest") await addLogAndNote(user, (await goalOf(user)).goal);
});

/** Every path of the route table, once. */
const PATHS = [...new Set(pageRoutes().map(({ path }) => path.slice(1) || "/"))];

/** The host, who has most things, visits every page. */
const isVisited = (row: Row, target: Target, role: Role): boolean =>
  isAsked(row, target, role) || (target === "theirs" && role === "host");

test("R-36 the role matrix declares every page, and no other", () => {
  const declared = new Set(PAGE_ROWS.map(({ name }) => name));
  expect(PATHS.filter((path) => !declared.has(path))).toEqual([]);
  expect([...declared].filter((path) => !PATHS.includes(path))).toEqual([]);
  const asked = cellsOf(PAGE_ROWS, isVisited);
  console.info(`role matrix: ${PATHS.length} pages, ${cellsOf(PAGE_ROWS)} cells, ${asked} asked`);
});

test.each(PATHS)(
  "R-36 R-72 Q-45 D2 the page %s and its data answer each role as its line says, in few round trips, without ids of people",
  { timeout: 120_000 },
  async (path) => {
    const rows = PAGE_ROWS.filter(({ name }) => name === path);
    expect(await wrongCells({ cast, things }, rows, visitCell, isVisited)).toEqual([]);
  },
);

test("R-72 most pages without a documented call have data", () => {
  expect(WITH_TWIN.size).toBeGreaterThan(30);
});

test("R-72 a key opens no page's data", async () => {
  const answer = await ask("/api/account/blocks", { headers: { Authorization: "Bearer bothy_0123456789" } });
  expect([answer.status, await answer.json()]).toMatchObject([404, { error_code: "NOT_FOUND" }]);
});

test("R-72 an address that no page has is NOT_FOUND, in JSON", async () => {
  for (const path of [
    "/api/account/nothing",
    "/api/admin/users",
    "/api/sessions/no",
    "/api/my/goals/1/2/3",
  ]) {
    const answer = await callAs(cast.of("super"), "GET", path);
    expect([path, answer.status, answer.body?.error_code]).toEqual([path, 404, "NOT_FOUND"]);
  }
});
