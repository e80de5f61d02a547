// The built pages (build/server/index.js), which wrangler.toml's [alias] puts under this name.
declare module "virtual:pages" {
  const build: import("@remix-run/cloudflare").ServerBuild;
  export = build;
}
