// The privacy of a hut, for copies of its things at the edge.
import { findPublicHut } from "#db/queries/huts/huts";
import type { App } from "~/use-cases/app.server";

/** Whether a copy of a thing of this hut may answer a visitor. */
export const isPublicHut = async (app: App, id: number): Promise<boolean> =>
  (await findPublicHut(app.db, id)).length > 0;
