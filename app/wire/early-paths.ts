// The JSON calls of the table that a page makes at once, or while it closes, when the table is not there.
export const readTime = ["GET", "/api/time"] as const;
export const getCsrfCookie = ["GET", "/sanctum/csrf-cookie"] as const;
export const saveListProgress = ["POST", "/challenge-events/logs/save-task-list-progress"] as const;
