// Adds new logs to a room's history, and corrects those that D1 has marked as changed or deleted.
import { canUndoLog } from "~/domain/goals/logs";
import type { MarkedLog, RoomLog } from "~/domain/room/room";
import { roomLogOut } from "~/wire/room/logs";
import type { RoomMemory } from "./memory";

export const addLog = (
  memory: RoomMemory,
  { log, userId, uuid }: { log: RoomLog; userId: number; uuid: string },
): void =>
  memory.lines.add(userId, (seq) => ({
    line: { kind: "log", seq, log, userId, uuid },
    operation: { type: "logs", seq, log: roomLogOut(log) },
  }));

/** Replaces each marked log by its version in D1, under a new `seq`. Idempotent. */
export function correctLogs(memory: RoomMemory, markedLogs: readonly MarkedLog[]): void {
  memory.flush();
  const { lines } = memory.store;
  for (const mark of markedLogs) {
    const { uuid, id, log } = mark;
    const rows = lines.rowsOfLog(mark);
    const [row] = rows;
    if (rows.length === 1 && JSON.stringify(row?.log) === JSON.stringify(log)) continue;
    if (rows.length > 0) memory.disk.addExtraWrite(() => lines.dropLog(mark));
    if (log) addLog(memory, { log, userId: mark.userId, uuid });
    else {
      const userId = row?.userId ?? 0;
      const paidAt = row?.log && !canUndoLog(row.log, memory.now()) ? row.log.createdAt : 0;
      memory.lines.add(userId, (seq) => ({
        line: { kind: "unlog", seq, id, userId, uuid, paidAt },
        operation: { type: "unlogged", seq, id },
      }));
    }
  }
  memory.flush();
}
