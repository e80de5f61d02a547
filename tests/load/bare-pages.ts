// The baseline of the page benchmarks: the smallest Remix page and the smallest Hono answer.
import { createRequestHandler, type ServerBuild } from "@remix-run/cloudflare";
import { Links, Meta, Outlet, RemixServer, Scripts } from "@remix-run/react";
import { Hono } from "hono";
import { createElement as h } from "react";
import { renderToReadableStream } from "react-dom/server";

const Root = () =>
  h("html", { lang: "en" }, [
    h("head", { key: "head" }, h(Meta), h(Links)),
    h("body", { key: "body" }, h(Outlet), h(Scripts)),
  ]);
const Page = () => h("main", null, h("h1", null, "A page"), h("p", null, "With a line of text."));
const route = (id: string, module: object, more: object) => ({ id, module, ...more });
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
    page: route("page", { default: Page, loader: () => ({ at: 1 }) }, { parentId: "root", index: true }),
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

const hono = new Hono();
hono.get("/api/time", (c) => c.json({ ok: true }));
const pages = createRequestHandler(build, "production");
hono.all("*", (c) => pages(c.req.raw));
export default hono;
