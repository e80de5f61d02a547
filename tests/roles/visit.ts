// One visit of a page by a role: its answer, its round trips (D2), its data behind /api and the ids in it.
import * as paths from "~/wire/paths";
import { ask, callAs, ORIGIN } from "../support/ask";
import { pageRoutes } from "../support/route-table";
import { AT_ONCE_FIRST, fewestTrips } from "../support/trips";
import type { Actor, Cell, Thing } from "./cast";
import { namedPath, place } from "./pages";
import { mostOfPage } from "./trips";
import { userIdIn } from "./user-ids";

const anyNames = (path: string) => path.replace(/:\w+|\{\w+\}/g, ":");
const documented = new Set(
  Object.values(paths)
    .filter(([method]) => method === "GET")
    .map(([, path]) => anyNames(path)),
);
/** Pages with a view and a loader of their own. The calls answer those with a documented twin. */
export const WITH_TWIN = new Set(
  pageRoutes()
    .filter(({ module }) => "default" in module && "loader" in module)
    .map(({ path }) => path.slice(1) || "/")
    .filter((path) => path !== "*" && !documented.has(anyNames(`/api/${path}`))),
);

const cookie = ({ user }: Actor): Record<string, string> =>
  user ? { Cookie: `login=${user.loginToken}` } : {};

/** A page and its data show their status, not their error code. */
const CODES: Record<number, string> = { 401: "UNAUTHENTICATED", 403: "FORBIDDEN", 404: "NOT_FOUND" };

function saidOfPage({ status, headers }: Response, thing: Thing): string {
  const location = headers.get("Location")?.replace(ORIGIN, "");
  if (location?.startsWith("/?auth=login&next=")) return "sign-in";
  if (location) return namedPath(location.split("?")[0] ?? "", thing);
  if (status < 300) return "ok";
  return CODES[status] ?? String(status);
}

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

/** The faults in the data of a page, for an actor to whom the page itself said this. */
async function faultsOfTwin(path: string, said: string, thing: Thing, actor: Actor): Promise<string[]> {
  const answer = await callAs(actor.user, "GET", `/api${path}`);
  const location = answer.headers
    .get("Location")
    ?.replace(/^\/api/, "")
    .split("?")[0];
  const refusal = answer.status === 401 ? "sign-in" : (CODES[answer.status] ?? String(answer.status));
  const saidByTwin =
    location === undefined ? (answer.status === 200 ? "ok" : refusal) : namedPath(location, thing);
  const faults = saidByTwin === said ? [] : [`/api said ${saidByTwin}`];
  const id = userIdIn(JSON.stringify(answer.body), actor);
  if (id !== undefined) faults.push(`/api has the id of a person: ${id}`);
  if (faults.length > 0 || said !== "ok") return faults;
  const page = await ask(path === "/" ? "/_root.data" : `${path}.data`, { headers: cookie(actor) });
  const shown = await page.text();
  const more = textsIn(answer.body).filter(
    (text) => !isDrawn(text, path) && !shown.includes(JSON.stringify(text)),
  );
  if (more.length > 0) faults.push(`/api said more than the page: ${more.slice(0, 3).join(", ")}`);
  const shownId = userIdIn(shown, actor);
  if (shownId !== undefined) faults.push(`its data has the id of a person: ${shownId}`);
  return faults;
}

export async function visitCell({ row, actor, expected, take }: Cell) {
  const thing = await take();
  // `events/:event` without a tab shows the session's details.
  const template = row.name === "events/:event/*" ? "events/:event" : row.name;
  const path = `/${place(template, thing).replace(/^\//, "")}`;
  const visit = async () => {
    const headers = { ...cookie(actor), Accept: "text/html" };
    const response = await ask(path, { redirect: "manual", headers });
    return { response, text: await response.text() };
  };
  const isShown = expected === "ok";
  const most = isShown ? mostOfPage(row.name, actor.role) : Number.POSITIVE_INFINITY;
  const { trips, answer } = await fewestTrips(most, async () => visit, AT_ONCE_FIRST);
  const said = saidOfPage(answer.response, thing);
  const id = userIdIn(answer.text, actor);
  const faults = [
    ...(trips > most ? [`${trips} round trips instead of ${most}`] : []),
    ...(id === undefined ? [] : [`it has the id of a person: ${id}`]),
    ...(WITH_TWIN.has(row.name) ? await faultsOfTwin(path, said, thing, actor) : []),
  ];
  return { said: [said, ...faults].join("; "), isChange: false };
}
