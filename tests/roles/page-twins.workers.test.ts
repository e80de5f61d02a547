// The data of each page behind /api, asked by every role of the matrix of pages.
import { beforeAll, expect, test } from "vitest";
import * as paths from "~/wire/paths";
import { ask, callAs } from "../support/ask";
import { pageRoutes } from "../support/route-table";
import { type Actor, assemble, type Cast, type Thing, wrongCells } from "./cast";
import { namedPath, PAGE_ROWS, place } from "./pages";
import type { Row } from "./table";
import { shelf } from "./things";

let cast: Cast;
let things: ReturnType<typeof shelf>;
beforeAll(async () => {
  cast = await assemble();
  things = shelf(cast);
});

const anyNames = (path: string) => path.replace(/:\w+|\{\w+\}/g, ":");
const documented = new Set(
  Object.values(paths)
    .filter(([method]) => method === "GET")
    .map(([, path]) => anyNames(path)),
);
/** Pages with a view and a loader of their own. The calls answer those with a documented twin. */
const PATHS = [
  ...new Set(
    pageRoutes()
      .filter(({ module }) => "default" in module && "loader" in module)
      .map(({ path }) => path.slice(1) || "/"),
  ),
].filter((path) => path !== "*" && !documented.has(anyNames(`/api/${path}`)));

const cookie = ({ user }: Actor): Record<string, string> =>
  user ? { Cookie: `login=${user.loginToken}` } : {};

/** Each request draws it: the ids of a form's new parts, the room's ticket, and the passage of About. */
const isDrawn = (text: string, path: string) =>
  /^[\da-f]{8}-[\da-f-]{27}$|^eyJ[\w-]+\./.test(text) || path === "/about";

/** The names and texts inside a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}

const CODES: Record<number, string> = { 401: "sign-in", 403: "FORBIDDEN", 404: "NOT_FOUND" };

async function askCell(row: Row, thing: Thing, actor: Actor) {
  const path = `/${place(row.name, thing).replace(/^\//, "")}`;
  const answer = await callAs(actor.user, "GET", `/api${path}`);
  const location = answer.headers
    .get("Location")
    ?.replace(/^\/api/, "")
    .split("?")[0];
  const redirected = location === undefined ? undefined : namedPath(location, thing);
  const said = redirected ?? (answer.status === 200 ? "ok" : (CODES[answer.status] ?? String(answer.status)));
  if (said !== "ok") return { said, isChange: false };
  const page = await ask(path === "/" ? "/_root.data" : `${path}.data`, { headers: cookie(actor) });
  const shown = await page.text();
  const more = textsIn(answer.body).filter(
    (text) => !isDrawn(text, path) && !shown.includes(JSON.stringify(text)),
  );
  return {
    said: more.length > 0 ? `more than the page: ${more.slice(0, 3).join(", ")}` : "ok",
    isChange: false,
  };
}

test("R-72 most pages without a documented call have data", () => {
  expect(PATHS.length).toBeGreaterThan(30);
});

test.each(PATHS)(
  "R-72 GET /api/%s answers each role what the page shows it, and no more",
  { timeout: 120_000 },
  async (path) => {
    const rows = PAGE_ROWS.filter(({ name }) => name === path);
    expect(rows.length).toBeGreaterThan(0);
    expect(await wrongCells({ cast, things }, rows, askCell)).toEqual([]);
  },
);

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
