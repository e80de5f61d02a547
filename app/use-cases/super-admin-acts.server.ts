// The audit rows of acts that only the right of a super admin allows, apart from moderation.
import type { Statement } from "#db/connect.server";
import { type Act, insertAct, recordAct } from "#db/queries/safety/audit";
import { isSuperAdmin, requireUser } from "~/domain/permissions";
import type { App } from "./app.server";

/** `isOwnRight`: the user may do so without being super admin, which needs no row. */
export type OverseenAct = Omit<Act, "at" | "actorId"> & { isOwnRight: boolean };

const isOverseen = (app: App, { isOwnRight }: OverseenAct): boolean => isSuperAdmin(app.user) && !isOwnRight;
const actOf = (app: App, { isOwnRight: _, ...act }: OverseenAct): Act => ({
  ...act,
  at: app.now,
  actorId: requireUser(app.user).id,
});

/** The statement of the audit row, if the act needs one. In a batch it follows the statement of the act. */
export const recordOverseen = (app: App, act: OverseenAct): Statement[] =>
  isOverseen(app, act) ? [recordAct(app.db, actOf(app, act))] : [];

/** The row of an act outside D1, which follows it, or of a statement that always changes a row. */
export const insertOverseen = (app: App, act: OverseenAct): Statement[] =>
  isOverseen(app, act) ? [insertAct(app.db, actOf(app, act))] : [];
