// The pages that the workerd tests serve: the same build of the sources by Remix that the worker has.
import * as build from "virtual:remix/server-build";
import { createPages } from "#workers/pages";

export const { assets, routes } = build;
export const pages = createPages(build, "production");
