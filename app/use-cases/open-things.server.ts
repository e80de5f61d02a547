// Whether a thing is open to every visitor, for copies of its pages at the edge.
import { findOpen } from "#db/queries/open-things";
import type { ShownThing } from "~/domain/shown-thing";
import type { App } from "~/use-cases/app.server";

/** Whether a copy of a page of this thing may answer a visitor: it is public, and asks for no code. */
export const isOpenThing = async (app: App, thing: ShownThing): Promise<boolean> =>
  (await findOpen(app.db, thing)).length > 0;
