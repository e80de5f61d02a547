// A session's schedule as a value: part groups, their parts, and the rules by which dates move (T-01 to T-16).
// Pure: takes `now` and the roster, returns a new schedule. This file only gathers; each file below says what it does.
// Code for the browser imports the file it needs, so that zod stays on the server.
export * from "./schedule-advance";
export * from "./schedule-edit";
export * from "./schedule-groups";
export * from "./schedule-input";
export * from "./schedule-plan";
export * from "./schedule-problems";
export * from "./schedule-run";
export * from "./schedule-sets";
export * from "./schedule-shape";
