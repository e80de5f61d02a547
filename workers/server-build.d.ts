// Types of the pages in the worker's build, which Remix provides; remix.config.ts makes their modules lazy.
declare module "virtual:remix/server-build" {
  const build: import("./pages").LazyBuild;
  export = build;
}
