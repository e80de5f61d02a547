// The forms of a log, in one chunk, so that a page loads both by one request.
export { LogByHand } from "./log-by-hand";
export { LogEditForm } from "./log-edit-form";
