// The handle of a route that renders without the site's frame and scripts.

export const STAGE_HANDLE = { isStage: true };

export const isStage = (handle: unknown): boolean =>
  typeof handle === "object" && handle !== null && "isStage" in handle;
