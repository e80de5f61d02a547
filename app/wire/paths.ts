// The table of JSON calls (path-table.ts) under their names; without calls/, which loads the schemas.
import type * as table from "./path-table";

export * as paths from "./path-table";

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
export type CallName = keyof typeof table;
/** Passed whole, not by its name, so that a page holds only the paths of its own calls. */
export type CallPath = readonly [Method, string];
