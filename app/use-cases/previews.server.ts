// What the picture of a shared link says of an activity or a session.
import { findActivityPreview, findSessionPreview } from "#db/queries/previews";
import { describeDuration } from "~/domain/duration-text";
import { AppError } from "~/domain/errors";
import type { App } from "./app.server";

export type Preview = { kind: string; title: string; facts: string; version: string };

export async function previewActivity(app: App, { slug }: { slug: string }): Promise<Preview> {
  const [row] = await findActivityPreview(app.db, slug);
  if (!row) throw new AppError("NOT_FOUND");
  const followers = `${row.followers} ${row.followers === 1 ? "follower" : "followers"}`;
  return {
    kind: "An activity",
    title: row.title,
    facts: `${describeDuration(row.duration)} · ${followers}`,
    version: `${row.updatedAt}-${row.followers}`,
  };
}

/** Shared links have no zone of their own: the time is told in UTC and says so. */
const day = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "full",
  timeStyle: "short",
  timeZone: "UTC",
  hour12: false,
});

export async function previewSession(app: App, { session }: { session: number }): Promise<Preview> {
  const [row] = await findSessionPreview(app.db, session);
  if (!row) throw new AppError("NOT_FOUND");
  const starts =
    row.startedAt === null ? "Starts when the host is ready" : `${day.format(row.startedAt)} UTC`;
  return {
    kind: "A session",
    title: row.title,
    facts: `${starts} · ${describeDuration(row.duration)}`,
    version: `${row.updatedAt}-${row.startedAt}`,
  };
}
