// The host's line on all screens (J-12): on each page of a session and on its stage, spoken politely.
import { shownLine } from "~/domain/room/host-line";
import type { LiveRoom } from "~/wire/room/live-room";
import { useLiveSchedule } from "./use-live-schedule";

/** The line of a session in progress; null once its part has ended. */
export const useShownLine = (room: LiveRoom) => shownLine(room.line, useLiveSchedule(room, true).schedule);

/** The paragraph exists before its text, because screen readers announce only a change of a status. */
export const HostLine = ({ room }: { room: LiveRoom }) => (
  <p role="status" className="host-line">
    {useShownLine(room)?.content}
  </p>
);
