// The changes of a room that only the right of a super admin allows, as the audit names them. Pure.

import { canHostSession, canRunSession } from "~/domain/permissions";
import { USER_ROLE } from "~/domain/roles";
import { type SessionStatus, statusAt } from "~/domain/sessions/status";
import type { Instant } from "~/domain/time";
import type { RoomAct, RoomEdit, RoomState, StateChange } from "./room";

const STATUS_WORDS: Record<SessionStatus, string> = { 0: "waiting", 1: "in progress", 2: "ended" };

/** Null for a change that host, admins or participants may make, and for an act that is in the audit already. */
export function superAdminAct(state: RoomState, change: StateChange, now: Instant): RoomAct | null {
  if (!("by" in change) || !change.by.isSuperAdmin || change.by.isAudited) return null;
  const { userId, username } = change.by;
  const seat = state.participants.find((person) => person.userId === userId) ?? null;
  const ordinaryPerson = { id: userId, username, roleId: USER_ROLE.ordinary };
  const [runs, hosts] = [canRunSession(ordinaryPerson, seat), canHostSession(ordinaryPerson, seat)];
  const status = STATUS_WORDS[statusAt(state, now)];
  switch (change.type) {
    case "reset":
      return { action: "session-reset", previous: status };
    case "start":
      return runs ? null : { action: "session-started", previous: status };
    case "end":
      return hosts ? null : { action: "session-ended", previous: status };
    case "edit":
      return runs || isOnlyOfRecord(change) ? null : (change.act ?? actOf(state, change));
    case "move-round":
      return runs || change.move === "pass" ? null : { action: "timers-changed", previous: "" };
    case "control-part":
    case "adjust-part":
    case "replace-schedule":
      return runs ? null : { action: "timers-changed", previous: "" };
    case "save-content":
      return runs
        ? null
        : { action: "texts-changed", previous: change.title === undefined ? "" : state.title };
    case "save-prompt":
      return runs ? null : { action: "texts-changed", previous: "" };
    // Only a seat allows these.
    case "complete":
    case "set-ready":
    case "set-hand":
    case "lower-hands":
    case "switch-reactions":
    case "contribute":
      return null;
    default:
      return change satisfies never;
  }
}

/** Fields of the record have their audit row in the batch that writes them. */
const isOnlyOfRecord = ({ title, content, prompt, schedule }: RoomEdit): boolean =>
  [title, content, prompt, schedule].every((value) => value === undefined);

const actOf = (state: RoomState, { title, schedule }: RoomEdit): RoomAct =>
  schedule
    ? { action: "timers-changed", previous: "" }
    : { action: "texts-changed", previous: title === undefined ? "" : state.title };
