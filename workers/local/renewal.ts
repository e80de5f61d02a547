// The part of `npm run data:renew` that runs the application's own code, over D1 as wrangler binds it.
import { connect } from "#db/connect.server";
import { createRichText } from "#workers/adapters/rich-text";
import { type Progress, renewData } from "~/use-cases/renewal.server";

export const renewStored = (
  db: D1Database,
  progress: Progress | null,
  save: (progress: Progress | null, done: string) => void,
): Promise<void> => renewData({ db: connect(db), richText: createRichText() }, progress, save);
