// The tools of a chat line and of a participant, in one chunk that loads with the first of them.
export { LineDialog } from "./line-dialog";
export { ConfirmTool, ParticipantTools } from "./participant-tools";
