// The parts of a session's details that the browser loads after the stage, in one chunk.
export { ChatBox } from "~/components/room/chat-box";
export { CueMenu } from "~/components/room/cue-menu";
export { Roster } from "~/components/room/roster";
export { PartsList } from "./parts-list";
export { RecentLogs } from "./recent-logs";
export { KeepSeat, SeriesLine } from "./series-line";
export { SessionTexts } from "./session-texts";
