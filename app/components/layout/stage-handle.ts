// The mark of a route without the frame of the site, and without its scripts.

export const STAGE_HANDLE = { isStage: true };

export const isStage = (handle: unknown): boolean =>
  typeof handle === "object" && handle !== null && "isStage" in handle;
