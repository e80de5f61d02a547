// Recent progress with the logs that the room has announced since the page was loaded.
import { LOG_STATUS } from "~/domain/goals/log-state";
import { deedText, logMeasures } from "~/domain/goals/measure-text";
import type { ProgressLine } from "~/domain/goals/progress-line";
import type { Reader } from "~/domain/numbers";
import type { RoomLog } from "~/domain/room/room";
import { SECOND } from "~/domain/time";

const lineOfRoom = (log: RoomLog, reader: Reader): ProgressLine => ({
  id: log.id,
  username: log.username,
  title: log.goalTitle || log.title || deedText(log.action, "") || "Progress",
  words: logMeasures(
    { amount: log.amount, distance: log.distance, duration: null, isTimed: log.duration >= SECOND },
    log.unit,
    log.duration,
    reader,
  ),
  at: log.createdAt,
  isRunning: log.status === LOG_STATUS.active,
});

/** Newest first, each log once; the room's version replaces the page's, but for the names of guests (H-23). */
export function recentLines(
  roomLogs: readonly RoomLog[],
  pageLines: readonly ProgressLine[],
  limit: number,
  reader: Reader,
): ProgressLine[] {
  const names = new Map(pageLines.map(({ username, guestName }) => [username, guestName]));
  const fromRoom = new Set(roomLogs.map((log) => log.id));
  return [
    ...roomLogs.map((log) => ({ ...lineOfRoom(log, reader), guestName: names.get(log.username) })),
    ...pageLines.filter((line) => !fromRoom.has(line.id)),
  ]
    .sort((a, b) => b.at - a.at)
    .slice(0, limit);
}
