// The router of the worker's Hono apps.
import type { Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";
import type { H, RouterRoute } from "hono/types";
import { memoiseByKey } from "~/domain/memoise";

/** Hono searches its tree of paths for each request; here the newest paths keep their handlers. */
export function rememberingRouter(): Router<[H, RouterRoute]> {
  const tree = new TrieRouter<[H, RouterRoute]>();
  const found = memoiseByKey((key) => {
    const at = key.indexOf(" ");
    return tree.match(key.slice(0, at), key.slice(at + 1));
  });
  return {
    name: "RememberingRouter",
    add: (method, path, handler) => tree.add(method, path, handler),
    match: (method, path) => found(`${method} ${path}`),
  };
}
