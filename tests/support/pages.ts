// The pages that the workerd tests serve: the same build of the sources by Remix that the worker has.
import * as build from "virtual:remix/server-build";
import { createRequestHandler } from "@remix-run/cloudflare";

export const { routes } = build;
export const pages = createRequestHandler(build, "production");
