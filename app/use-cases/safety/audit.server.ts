// The audit log for super admins.
import * as audit from "#db/queries/safety/audit";
import { cursorOf, type PageQuery, pagedById, shownRows } from "~/domain/list-pages";
import { allow, isSuperAdmin, requireUser } from "~/domain/permissions";
import type { ShownAct } from "~/domain/safety/audit";
import type { Paged } from "~/domain/sessions/view";
import type { App } from "~/use-cases/app.server";

export type AuditQuery = PageQuery & audit.AuditFilter;

/** Newest first. FORBIDDEN except for super admins. */
export async function viewAudit(app: App, input: AuditQuery): Promise<Paged & { acts: ShownAct[] }> {
  allow(isSuperAdmin(requireUser(app.user)));
  const paging = { page: input.page, perPage: app.settings.perPage, after: cursorOf(input) };
  const rows = await audit.listActs(app.db, input, paging);
  return { acts: shownRows(rows, paging), ...pagedById(rows, paging) };
}
