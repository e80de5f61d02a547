// Whether things are open to every visitor, for copies of their pages at the edge.
import { findAllOpen } from "#db/queries/open-things";
import type { ShownThing } from "~/domain/shown-thing";
import type { App } from "~/use-cases/app.server";

/** Whether a copy of a page that shows these things may answer a visitor. */
export const areOpenThings = async (app: App, things: readonly ShownThing[]): Promise<boolean> =>
  (await findAllOpen(app.db, things)).length > 0;
