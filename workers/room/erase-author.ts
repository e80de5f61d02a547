// Erases the texts of a deleted account from a room, and renames it there.
import { turnsSeenBy } from "~/domain/room/aliases";
import { partsInOrder } from "~/domain/schedule/shape";
import { renameAuthor } from "~/domain/sessions/texts";
import { removedOut } from "~/wire/room/operations";
import type { RoomMemory } from "./memory";

/** Removes the author's lines, each under its own `seq`, and renames the author. Idempotent. */
export function eraseAuthor(memory: RoomMemory, author: { userId: number; username: string }): void {
  const { userId, username } = author;
  memory.upToDate();
  memory.flush();
  const lines = memory.store.lines.listMessagesOf({ userId, after: -1, limit: Number.MAX_SAFE_INTEGER });
  for (const { seq: line } of lines)
    memory.changeLine(userId, (seq) => ({
      change: { type: "removed", seq, line, at: memory.now() },
      operation: { type: "removed", ...removedOut({ seq, line }) },
    }));
  // The copy has the author's name, too.
  memory.copy.markChanged(null);
  memory.addExtraWrite(() => memory.store.lines.renameAuthor(author));
  const current = memory.requireCurrent();
  const storedPerson = current.people.get(userId);
  const former = storedPerson?.person.username ?? username;
  if (storedPerson && former !== username) {
    const person = { ...storedPerson.person, username, aim: "", guestName: undefined };
    const { state } = current;
    const participants = state.participants.map((other) => (other.userId === userId ? person : other));
    if (storedPerson.isGone)
      memory.update({ ...current, people: new Map(current.people).set(userId, { ...storedPerson, person }) });
    else memory.commit({ ...state, participants }, ["participants"], []);
    // A part under way keeps the names of past turns.
    const { state: named } = memory.requireCurrent();
    const schedule = turnsSeenBy(named.schedule, new Map([[former, username]]));
    if (partsInOrder(schedule).some((part, index) => part !== partsInOrder(named.schedule)[index]))
      memory.commit({ ...named, schedule }, ["parts"], ["parts"]);
  }
  const { state: latest } = memory.requireCurrent();
  const contributions = renameAuthor(latest.contributions, userId, username);
  if (contributions !== latest.contributions) memory.commit({ ...latest, contributions }, ["content"], []);
  memory.flush();
}
