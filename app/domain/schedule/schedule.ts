// Re-exports the schedule functions: part groups, parts, and the rules that move dates (T-01 to T-16). Browser code
// imports single files instead, so that zod stays on the server.
export * from "./advance";
export * from "./edit";
export * from "./groups";
export * from "./input";
export * from "./plan";
export * from "./problems";
export * from "./run";
export * from "./sets";
export * from "./shape";
