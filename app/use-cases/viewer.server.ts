// The viewer behind a request, for checks of what they may see.
import { type Viewer, viewerWith } from "#db/queries/visibility";
import { isSuperAdmin } from "~/domain/permissions";
import type { App } from "./app.server";

/** A super admin sees private huts in a browser; a key makes its user ordinary (O-03, R-94). */
export const viewerOf = ({ user }: Pick<App, "user">): Viewer =>
  user === null ? 0 : viewerWith(user.id, { seesAll: isSuperAdmin(user) });
