// The baseline of the page benchmarks: the smallest Remix page and the smallest Hono answer. Both may run the statements
// of one of our pages or calls first, in one batch.
import { createRequestHandler, type LoaderFunctionArgs, type ServerBuild } from "@remix-run/cloudflare";
import { Links, Meta, Outlet, RemixServer, Scripts } from "@remix-run/react";
import { Hono } from "hono";
import { createElement as h } from "react";
import { renderToReadableStream } from "react-dom/server";

type Env = { DB?: D1Database };
type Statement = { sql: string; params: unknown[] };
const statements = new Map<string, Statement[]>();

/** Runs the statements known by this name; returns the number of rows. */
async function read(db: D1Database | undefined, name: string | null): Promise<number> {
  const list = statements.get(name ?? "") ?? [];
  if (!db || list.length === 0) return 0;
  const results = await db.batch(list.map(({ sql, params }) => db.prepare(sql).bind(...params)));
  return results.reduce((sum, { results: rows }) => sum + rows.length, 0);
}

const Root = () =>
  h("html", { lang: "en" }, [
    h("head", { key: "head" }, h(Meta), h(Links)),
    h("body", { key: "body" }, h(Outlet), h(Scripts)),
  ]);
const Page = () => h("main", null, h("h1", null, "A page"), h("p", null, "With a line of text."));
const route = (id: string, module: object, more: object) => ({ id, module, ...more });
const loader = async ({ request, context }: LoaderFunctionArgs) => ({
  rows: await read((context as unknown as Env).DB, new URL(request.url).searchParams.get("of")),
});
const asset = (id: string, hasLoader: boolean) => ({
  id,
  module: `/${id}.js`,
  imports: [],
  hasLoader,
  hasAction: false,
  hasErrorBoundary: false,
  hasClientAction: false,
  hasClientLoader: false,
});

const build = {
  entry: {
    module: {
      default: async (request: Request, status: number, headers: Headers, context: never) => {
        headers.set("Content-Type", "text/html; charset=utf-8");
        const page = h(RemixServer, { context, url: request.url });
        return new Response(await renderToReadableStream(page), { status, headers });
      },
    },
  },
  routes: {
    root: route("root", { default: Root }, { path: "" }),
    page: route("page", { default: Page, loader }, { parentId: "root", index: true }),
  },
  assets: {
    entry: { module: "/entry.js", imports: [] },
    url: "/manifest.js",
    version: "bare",
    routes: {
      root: { ...asset("root", false), path: "" },
      page: { ...asset("page", true), parentId: "root", index: true },
    },
  },
  publicPath: "/",
  assetsBuildDirectory: "",
  basename: "/",
  mode: "production",
  isSpaMode: false,
  future: { v3_singleFetch: true },
} as unknown as ServerBuild;

const hono = new Hono<{ Bindings: Env }>();
hono.post("/statements", async (c) => {
  statements.set(c.req.query("of") ?? "", await c.req.json<Statement[]>());
  return c.body(null, 204);
});
hono.get("/api/time", async (c) => c.json({ rows: await read(c.env.DB, c.req.query("of") ?? null) }));
/** A page that is stored, and answered from its copy with a header more. */
hono.post("/copies/*", async (c) => {
  const headers = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "public, max-age=3600" };
  await (await caches.open("pages")).put(c.req.url, new Response(await c.req.text(), { headers }));
  return c.body(null, 204);
});
hono.get("/copies/*", async (c) => {
  const copy = await (await caches.open("pages")).match(c.req.url);
  if (!copy) return c.body(null, 404);
  const headers = new Headers(copy.headers);
  headers.set("X-Copy", "hit");
  return new Response(await copy.text(), { headers });
});
const pages = createRequestHandler(build, "production");
hono.all("*", (c) => pages(c.req.raw, { DB: c.env.DB } as never));
export default hono;
