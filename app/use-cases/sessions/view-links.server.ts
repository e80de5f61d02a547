// View links: the host shows the stage of a session with a code, or of a private one, to everybody who has the link
// (J-10).
import { runBatch, type Statement } from "#db/connect.server";
import * as links from "#db/queries/sessions/view-links";
import { AppError, invalid } from "~/domain/errors";
import { allow, requireUser } from "~/domain/permissions";
import * as refusals from "~/domain/refusals";
import { SESSION_SENTENCES } from "~/domain/sessions/limits";
import * as sessionRefusals from "~/domain/sessions/refusals";
import { isStageHidden, type StageView, VIEW_LINK_ENDED, VIEW_PATH } from "~/domain/sessions/stage";
import type { App } from "~/use-cases/app.server";
import { networkOf } from "~/use-cases/network.server";
import { closeLinked } from "~/use-cases/notify-room.server";
import { countAttempts, countUse } from "~/use-cases/rate-limits.server";
import { hashToken, newToken } from "~/use-cases/tokens.server";
import { noSession, readSession, seatOfRow } from "./read.server";
import { choiceOf, readStage, type StageChoice } from "./stage.server";

/** A new link; the former one shows nothing more. Its code is stored only as a hash. */
export async function renewViewLink(app: App, subject: links.ViewLinkTarget): Promise<{ url: string }> {
  const code = newToken();
  const codeHash = await hashToken(code);
  await changeLink(app, subject, links.renewViewLink(app.db, subject, { codeHash, createdAt: app.now }));
  return { url: `${app.settings.origin}${VIEW_PATH}#${code}` };
}

/** Deletes the link, so that its stages close. Idempotent. */
export const endViewLink = (app: App, subject: links.ViewLinkTarget): Promise<void> =>
  changeLink(app, subject, [links.deleteViewLink(app.db, subject)]);

/** Changes a link and closes the stages that links have opened. A stage whose link is still valid reconnects at once. */
async function changeLink(app: App, subject: links.ViewLinkTarget, change: Statement[]): Promise<void> {
  const results = await runBatch(app.db, [...change, links.listStageSessions(app.db, subject)]);
  for (const { id } of results.at(-1) as { id: number }[]) closeLinked(app, id);
}

async function requireHost(app: App, session: number) {
  const user = requireUser(app.user);
  await countUse(app, "change-session", user.id);
  const row = await readSession(app, { session });
  allow(seatOfRow(row)?.isHost === true, refusals.hostOnly);
  return row;
}

/** CONFLICT for a session whose stage everybody may open. */
export async function makeViewLink(app: App, { session }: { session: number }): Promise<{ url: string }> {
  const row = await requireHost(app, session);
  if (row.closedAt !== null) throw new AppError("CONFLICT", SESSION_SENTENCES.ended);
  if (!isStageHidden(row)) throw new AppError("CONFLICT", sessionRefusals.everybodySeesStage);
  return renewViewLink(app, { sessionId: session });
}

export async function revokeViewLink(app: App, { session }: { session: number }): Promise<void> {
  await requireHost(app, session);
  await endViewLink(app, { sessionId: session });
}

async function findViewed(app: App, code: string) {
  const [viewed] = await links.findViewedSession(app.db, await hashToken(code), app.now);
  return viewed;
}

/** The stage behind a link, for everybody who has it. INVALID at `code` unless the link is valid. */
export async function viewLinked(
  app: App,
  { code, ...choice }: StageChoice & { code: string },
): Promise<StageView> {
  await countAttempts(app, { what: "view-link", by: networkOf(app) });
  const viewed = await findViewed(app, code);
  if (!viewed) throw invalid("code", VIEW_LINK_ENDED);
  const { sessionId, title } = viewed;
  const stage = sessionId === null ? null : await readStage(app, sessionId, { isLinked: true });
  const { look, parts } = choiceOf(choice);
  const shownParts = parts.filter((part) => part !== "people" && part !== "qr");
  return { title: stage?.session.title ?? title, stage, look, parts: shownParts };
}

/** NOT_FOUND unless the link shows this session at present. */
export async function requireViewed(app: App, code: string, session: number): Promise<void> {
  if ((await findViewed(app, code))?.sessionId !== session) throw noSession();
}
