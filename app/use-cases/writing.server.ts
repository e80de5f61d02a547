// The right to write a text that others read. Every use case that stores such a text checks it.
import { listSanctionsInHut } from "#db/queries/safety/sanctions";
import type { SessionRow } from "#db/queries/sessions/sessions";
import { AppError } from "~/domain/errors";
import { type WritingPlace, writingRefusalOf } from "~/domain/may-write";
import { requireUser } from "~/domain/permissions";
import type { App } from "./app.server";

/** The session as a place to write in; `belongs` is true with a seat, unless the act needs another right. */
export const sessionPlace = (
  row: Pick<SessionRow, "seatName" | "sanctions">,
  belongs = row.seatName !== null,
): WritingPlace => ({ kind: "session", belongs, sanctions: row.sanctions });

/** FORBIDDEN unless `app.user` may write in `place`; people who do not belong there read `outsiderSentence`. */
export function requireMayWrite(app: App, place: WritingPlace, outsiderSentence?: string): void {
  const refusal = writingRefusalOf(app, place, app.now);
  if (refusal === null) return;
  throw new AppError(
    "FORBIDDEN",
    refusal.why === "outside" ? (outsiderSentence ?? refusal.sentence) : refusal.sentence,
  );
}

/** For texts that appear in a hut; the caller has checked the membership. Without a hut everybody may write. */
export async function requireMayWriteInHut(app: App, hutId: number | null | undefined): Promise<void> {
  if (hutId) requireMayWriteUnder(app, await listSanctionsInHut(app.db, hutId, requireUser(app.user).id));
}

/** Checks the same with sanctions that the caller has read. */
export function requireMayWriteUnder(app: App, sanctions: WritingPlace["sanctions"]): void {
  requireMayWrite(app, { kind: "hut", belongs: true, sanctions });
}
