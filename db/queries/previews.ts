// What the picture of a shared link says: statements, run by use cases.
import { eq } from "drizzle-orm";
import { type Database, schema } from "#db/connect.server";

const { activities, sessions } = schema;

export const findActivityPreview = (db: Database, slug: string) =>
  db
    .select({
      title: activities.title,
      duration: activities.duration,
      followers: activities.followersCount,
      updatedAt: activities.updatedAt,
    })
    .from(activities)
    .where(eq(activities.slug, slug))
    .limit(1);

export const findSessionPreview = (db: Database, id: number) =>
  db
    .select({
      title: sessions.title,
      duration: sessions.duration,
      startedAt: sessions.startedAt,
      updatedAt: sessions.updatedAt,
    })
    .from(sessions)
    .where(eq(sessions.id, id))
    .limit(1);
