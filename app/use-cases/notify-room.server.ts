// Notifies rooms of changes in the record. A failed call is retried, then logged; answers wait for a promise only.
import { isAppError } from "~/domain/errors";
import { logLine } from "~/domain/log-line";
import type { RoomLog } from "~/domain/room/room";
import type { App } from "./app.server";

/** Milliseconds before each retry. */
const WAITS = [100, 400] as const;

/** The record has changed, so the room must reload it. */
export const notifyRoom = (app: App, session: number): void =>
  notifyInBackground(app, session, () => app.rooms.of(session).refresh());

/**
 * Like `notifyRoom`, and resolves once the room has read the record, and so has closed the sockets of lost seats. A room
 * that fails is notified again in the background.
 */
export const refreshRoom = (app: App, session: number): Promise<void> =>
  app.rooms
    .of(session)
    .refresh()
    .catch(() => notifyRoom(app, session));

/** Somebody may not watch the session any more. */
export const closeSpectators = (app: App, session: number): void =>
  notifyInBackground(app, session, () => app.rooms.of(session).closeSpectators());

/** A view link of the session ended or was replaced (J-10). */
export const closeLinked = (app: App, session: number): void =>
  notifyInBackground(app, session, () => app.rooms.of(session).closeSpectators("isLinked"));

/** A log was recorded, so the room broadcasts it. */
export const notifyRoomOfLog = (
  app: App,
  session: number,
  entry: { log: RoomLog; userId: number; uuid: string },
): void => notifyInBackground(app, session, () => app.rooms.of(session).change({ type: "logged", ...entry }));

/** Logs of the session have changed in the record: its room corrects its history before this resolves. */
export const followLogsOf = (app: App, session: number): Promise<void> =>
  callWithRetries(() => app.rooms.of(session).followLogs());

/** Awaits `followLogsOf` for these rooms. A room that fails reads the marks of the batch later, as a cron job does. */
export const followLogs = async (app: App, sessions: readonly number[]): Promise<void> => {
  await Promise.all(
    sessions.map((session) =>
      followLogsOf(app, session).catch((error: unknown) =>
        logRoomFailure({ event: "room-not-told", session, error }),
      ),
    ),
  );
};

export type RoomSilence = {
  event: "room-not-told" | "room-not-seen" | "room-not-closed";
  session: number;
  error: unknown;
};
export const logRoomFailure = ({ error, ...line }: RoomSilence): void =>
  console.error(logLine({ ...line, error: String(error) }));

/** Calls the room after the answer. */
export const notifyInBackground = (app: App, session: number, call: () => Promise<unknown>): void =>
  app.defer(
    callWithRetries(call).catch((error: unknown) =>
      logRoomFailure({ event: "room-not-told", session, error }),
    ),
  );

async function callWithRetries(call: () => Promise<unknown>): Promise<void> {
  for (const wait of WAITS)
    try {
      await call();
      return;
    } catch (error) {
      // The room of a deleted session answers with such an error, which a retry would not change.
      if (isAppError(error) && error.code !== "SERVER_ERROR") return;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  await call();
}
