// The routes and modules that Remix gets for a path.
import { expect, test } from "vitest";
import type { App } from "~/use-cases/app.server";
import { createPages, type LazyBuild } from "./pages";

const TABLE = [
  { id: "root", path: "" },
  { id: "frame", parentId: "root" },
  { id: "home", parentId: "frame", index: true },
  { id: "session", parentId: "frame", path: "sessions/:session" },
  { id: "details", parentId: "session", index: true },
  { id: "chat", parentId: "session", path: "chat" },
  { id: "new-session", parentId: "frame", path: "sessions/new" },
  { id: "person", parentId: "frame", path: ":person" },
  { id: "not-found", parentId: "frame", path: "*" },
];

function pagesOf() {
  const loaded: string[] = [];
  const module = (id: string) => async () => {
    loaded.push(id);
    return { default: () => null, loader: () => id };
  };
  const assets = Object.fromEntries(TABLE.map((route) => [route.id, route]));
  const pages = createPages({
    entry: {
      module: {
        default: async (_: Request, status: number, __: Headers, remix: { manifest: { routes: object } }) =>
          new Response(Object.keys(remix.manifest.routes).join(" "), { status }),
      },
    },
    routes: Object.fromEntries(TABLE.map((route) => [route.id, { ...route, module: module(route.id) }])),
    assets: { version: "1", routes: assets },
    future: { v3_singleFetch: true, v3_lazyRouteDiscovery: true },
  } as unknown as LazyBuild);
  const ask = async (path: string) => {
    const answer = await pages(new Request(`https://bothy.example${path}`), { app: {} as App, nonce: "" });
    return { status: answer.status, text: await answer.text() };
  };
  return { ask, loaded };
}

test.each([
  ["/", "root frame home"],
  ["/sessions/7", "root frame home session details person"],
  ["/sessions/7/chat", "root frame home session details chat person"],
  ["/SESSIONS/new", "root frame home new-session person"],
  ["/ann", "root frame home person"],
  ["/no/such/page", "root frame home person not-found"],
])("P3 %s gets its own routes and those above it", async (path, routes) => {
  const { ask } = pagesOf();
  expect(await ask(path)).toEqual({ status: 200, text: routes });
});

test("P4 a page loads the modules of its own routes, and keeps them", async () => {
  const { ask, loaded } = pagesOf();
  expect(loaded).toEqual([]);
  await ask("/sessions/7/chat");
  await ask("/sessions/8/chat");
  expect(loaded).toEqual(["root", "frame", "session", "chat"]);
});

test("P4 the data of a page comes from the same routes", async () => {
  const { ask, loaded } = pagesOf();
  const { text } = await ask("/sessions/7.data");
  expect(loaded).toEqual(["root", "frame", "session", "details"]);
  expect(text).toContain("details");
  expect((await ask("/_root.data")).text).toContain("home");
});

test("P4 the manifest of routes loads no module", async () => {
  const { ask, loaded } = pagesOf();
  const { text } = await ask("/__manifest?version=1&p=/sessions/7/chat");
  expect(Object.keys(JSON.parse(text))).toEqual(expect.arrayContaining(["session", "chat", "details"]));
  expect(loaded).toEqual([]);
});
