// The logs of a room's history: new ones, and those that the record has changed or deleted since.
import type { MarkedLog, RoomLog } from "~/domain/room/room";
import { roomLogOut } from "~/wire/room/logs";
import type { RoomMemory } from "./memory";

export const addLog = (
  memory: RoomMemory,
  { log, userId, uuid }: { log: RoomLog; userId: number; uuid: string },
): void =>
  memory.addLine(userId, (seq) => ({
    line: { kind: "log", seq, log, userId, uuid },
    operation: { type: "logs", seq, log: roomLogOut(log) },
  }));

/** Replaces each log by its present version under a `seq` of its own. Idempotent. */
export function correctLogs(memory: RoomMemory, markedLogs: readonly MarkedLog[]): void {
  memory.flush();
  const { lines } = memory.store;
  for (const mark of markedLogs) {
    const { uuid, id, log } = mark;
    const rows = lines.rowsOfLog(mark);
    const [row] = rows;
    if (rows.length === 1 && JSON.stringify(row?.log) === JSON.stringify(log)) continue;
    if (rows.length > 0) memory.addExtraWrite(() => lines.dropLog(mark));
    if (log) addLog(memory, { log, userId: mark.userId, uuid });
    else {
      const userId = row?.userId ?? 0;
      memory.addLine(userId, (seq) => ({
        line: { kind: "unlog", seq, id, userId, uuid },
        operation: { type: "unlogged", seq, id },
      }));
    }
  }
  memory.flush();
}
