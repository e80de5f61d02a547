// The forms of a log, in one chunk.
export { LogByHand } from "./log-by-hand";
export { LogEditForm } from "./log-edit-form";
