// Re-exports the schedule functions: part groups, parts, and the rules that move dates (T-01 to T-16). Browser code
// imports single files instead, so that zod stays on the server.
export * from "./schedule-advance";
export * from "./schedule-edit";
export * from "./schedule-groups";
export * from "./schedule-input";
export * from "./schedule-plan";
export * from "./schedule-problems";
export * from "./schedule-run";
export * from "./schedule-sets";
export * from "./schedule-shape";
