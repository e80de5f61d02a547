// The handle of a route that renders without the site's frame and scripts.

export const STAGE_HANDLE = { isStage: true };
/** A stage that a form opens. Without scripts a reload by its address would close it, so it does not refresh itself. */
export const POSTED_STAGE_HANDLE = { ...STAGE_HANDLE, isPosted: true };

export const isStage = (handle: unknown): boolean =>
  typeof handle === "object" && handle !== null && "isStage" in handle;
export const isStillStage = (handle: unknown): boolean =>
  isStage(handle) && !("isPosted" in (handle as object));
