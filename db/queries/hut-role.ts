// A user's role in a hut, as a column of a query over huts.
import { sql } from "drizzle-orm";
import { schema } from "#db/connect.server";
import type { Viewer } from "#db/queries/visibility";
import type { HutRole } from "~/domain/roles";

const { huts } = schema;

/** The user's role in the hut of the row: null without a membership. */
export const roleInHut = (userId: Viewer) =>
  sql<HutRole | null>`(SELECT m.role FROM hut_members m WHERE m.hut_id = ${huts.id} AND m.user_id = ${userId})`.as(
    "hut_role",
  );
