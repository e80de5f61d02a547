// The whole data model.
export * from "./accounts";
export * from "./activities";
export * from "./audit";
export * from "./blocks";
export * from "./calendar";
export * from "./goals";
export * from "./huts";
export * from "./items";
export * from "./logs";
export * from "./notes";
export * from "./notices";
export * from "./payments";
export * from "./posts";
export * from "./reports";
export * from "./sanctions";
export * from "./sessions";
export * from "./tokens";
