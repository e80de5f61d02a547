// The stage of a session, the same for everybody: it shows the session as a visitor sees it, and hides everybody who is
// hidden from somebody in it (J-08, J-10).
import type { SQL } from "drizzle-orm";
import type { Statement } from "#db/connect.server";
import { listHiddenInSession } from "#db/queries/safety/blocks";
import * as sessions from "#db/queries/sessions/sessions";
import type { RoomView } from "~/domain/room/room";
import type { EmbedView } from "~/domain/sessions/embed";
import {
  type StageLook,
  type StageOfSession,
  type StageView,
  sessionBehindLink,
  sessionOnStage,
  stagePartsOf,
} from "~/domain/sessions/stage";
import { type App, asVisitor } from "~/use-cases/app.server";
import { qrOf } from "~/use-cases/qr.server";
import { headOf, lineOf } from "./head.server";
import { noSession, sessionPath, withRoom } from "./read.server";

/** The code of a session without one, so that a view link shows what outsiders of a coded one see. */
const LINKED_CODE = "-";

export type StageChoice = { look?: StageLook | undefined; show?: string | undefined };

/** NOT_FOUND unless every visitor sees the session. */
export async function viewStage(app: App, input: StageChoice & { session: number }): Promise<StageView> {
  const stage = await readStage(app, input.session);
  return { title: stage.session.title, stage, ...choiceOf(input) };
}

/** NOT_FOUND unless every visitor sees the session. It has no text of a participant (J-11). */
export async function viewEmbed(app: App, input: StageChoice & { session: number }): Promise<EmbedView> {
  return embedOf(input, { stage: await readStage(app, input.session) });
}

/** The card of a session, or of a series without a session, which has only a title and a path. */
export function embedOf(
  { look }: StageChoice,
  content: { stage: StageOfSession } | { stage: null; title: string; path: string },
): EmbedView {
  const ownLook = { look: look ?? null };
  if (content.stage === null) return { ...ownLook, title: content.title, path: content.path, session: null };
  const { title, path, status, startedAt, endedAt, spotsLeft, participantsCount, needsCode, isCancelled } =
    content.stage.session;
  const session = { status, startedAt, endedAt, spotsLeft, participantsCount, needsCode, isCancelled };
  return { ...ownLook, title, path, session };
}

export const choiceOf = ({ look, show }: StageChoice): Pick<StageView, "look" | "parts"> => ({
  look: look ?? null,
  parts: stagePartsOf(show),
});

/** A page that has no stage to show yet. */
export const viewNoStage = async (_: App, choice: StageChoice) => choiceOf(choice);

/**
 * NOT_FOUND unless every visitor sees the session. With `isLinked`, for a view link, any session as an outsider sees
 * one with a code, with the host's line and without its address (J-10).
 */
export async function readStage(app: App, id: number, { isLinked = false } = {}): Promise<StageOfSession> {
  const visitor = asVisitor(app);
  const [[[row], apart], view] = await withRoom(visitor, id, app.db.batch(stageRows(app, id, { isLinked })));
  if (!row) throw noSession();
  return showStage(app, { row, apart, view }, { isLinked });
}

/** The statements of a stage. `session`: its id, or a query of it. */
export const stageRows = ({ db }: App, session: number | SQL, { isLinked = false } = {}) =>
  [
    isLinked ? sessions.findAnySession(db, session, 0) : sessions.findSession(db, session, 0),
    listHiddenInSession(db, session),
  ] as const satisfies Statement[];

type StageRead = {
  row: sessions.SessionRow;
  apart: Awaited<ReturnType<typeof listHiddenInSession>>;
  view: RoomView | null;
};

export async function showStage(
  app: App,
  { row, apart, view }: StageRead,
  { isLinked = false } = {},
): Promise<StageOfSession> {
  if (row.joinCode !== "") app.hasCode = true;
  const hiddenPeople = [...apart, ...(view?.apart ?? [])];
  const joinCode = isLinked ? row.joinCode || LINKED_CODE : row.joinCode;
  const { session, participants, me } = await headOf(
    asVisitor(app),
    { ...row, joinCode, hidden: hiddenPeople },
    view,
  );
  const address = `${app.settings.origin}${sessionPath(row.id)}`;
  return {
    session: isLinked ? sessionBehindLink(session) : sessionOnStage(session),
    participants: participants.map((person) => ({ ...person, handle: null, isBuilder: false })),
    mutes: [],
    // The stage shows the host's line without its author.
    line: me.mayRead || isLinked ? lineOf(view) : null,
    mayRead: me.mayRead,
    address: isLinked ? "" : address,
    qr: isLinked ? null : await qrOf(address),
  };
}
