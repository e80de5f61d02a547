// The library: templates, the tour's activity and session, and a book, which every installation gets (H-01, H-02,
// H-06).
export * from "./book";
export * from "./templates";
