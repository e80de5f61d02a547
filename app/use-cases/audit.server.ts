// The audit log for super admins.
import * as audit from "#db/queries/audit";
import type { AuditAction, AuditTarget } from "~/domain/audit";
import { cursorOf, type PageQuery, pagedById, shownRows } from "~/domain/list-pages";
import { allow, isSuperAdmin, requireUser } from "~/domain/permissions";
import type { Paged } from "~/domain/session-view";
import type { Instant } from "~/domain/time";
import type { App } from "./app.server";

export type ShownAct = {
  id: number;
  at: Instant;
  action: AuditAction;
  targetKind: AuditTarget;
  targetId: string;
  reason: string;
  previous: string;
  /** Usernames; null for a deleted account, or if the action concerns nobody. */
  actor: string | null;
  user: string | null;
  /** The slug of a hut or activity, if it still exists. */
  slug: string | null;
};
export type AuditQuery = PageQuery & audit.AuditFilter;

/** Newest first. FORBIDDEN except for super admins. */
export async function viewAudit(app: App, input: AuditQuery): Promise<Paged & { acts: ShownAct[] }> {
  allow(isSuperAdmin(requireUser(app.user)));
  const at = { page: input.page, perPage: app.settings.perPage, after: cursorOf(input) };
  const rows = await audit.listActs(app.db, input, at);
  return { acts: shownRows(rows, at), ...pagedById(rows, at) };
}
