// Erases the texts of a deleted account from a room, and renames the account in it.
import { turnsSeenBy } from "~/domain/room/aliases";
import { partsInOrder } from "~/domain/schedule/shape";
import { renameAuthor } from "~/domain/sessions/texts";
import { removedOut } from "~/wire/room/operations";
import { CLOSE } from "~/wire/room/room";
import type { RoomMemory } from "./memory";

/** Removes the author's lines, each under its own `seq`, renames the author and closes their sockets. Idempotent. */
export function eraseAuthor(memory: RoomMemory, author: { userId: number; username: string }): void {
  const { userId, username } = author;
  memory.clock.catchUp();
  memory.flush();
  const lines = memory.store.lines.listMessagesOf({ userId, after: -1, limit: Number.MAX_SAFE_INTEGER });
  for (const { seq: line } of lines)
    memory.lines.change(userId, (seq) => ({
      change: { type: "removed", seq, line, at: memory.now() },
      operation: { type: "removed", ...removedOut({ seq, line }) },
    }));
  // The copy contains the author's name too, so it must be written again.
  memory.copy.markChanged(null);
  memory.disk.addExtraWrite(() => memory.store.lines.renameAuthor(author));
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
    // A part under way stores the names of past turns.
    const { state: renamedState } = memory.requireCurrent();
    const schedule = turnsSeenBy(renamedState.schedule, new Map([[former, username]]));
    if (partsInOrder(schedule).some((part, index) => part !== partsInOrder(renamedState.schedule)[index]))
      memory.commit({ ...renamedState, schedule }, ["parts"], ["parts"]);
  }
  const { state: latest } = memory.requireCurrent();
  const contributions = renameAuthor(latest.contributions, userId, username);
  if (contributions !== latest.contributions) memory.commit({ ...latest, contributions }, ["content"], []);
  memory.flush();
  // The logins of the account or the guest are deleted, and a socket outlives its login.
  memory.sockets.closeUser(userId, CLOSE.signedOut, "erased");
}
