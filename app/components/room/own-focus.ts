// The focus part of the viewer's session, while it runs. The page computes it from the plan and its clock, so chat opens
// without a message from the room.
import { useMemo } from "react";
import { type Focus, focusAt } from "~/domain/room/focus";
import { useLive } from "./live-context";
import { useLiveSchedule } from "./use-live-schedule";

/** For a session in progress; null while it is not needed. */
export function useFocus(isNeeded: boolean): Focus | null {
  const room = useLive("room");
  const { participants } = room;
  const { schedule, at } = useLiveSchedule(room, isNeeded);
  return useMemo(
    () => (isNeeded ? focusAt({ schedule, participants }, at) : null),
    [isNeeded, schedule, participants, at],
  );
}
