// The sentences that refuse an act on goals, logs and notes. Answers send them with the error code.

export const usedUuid = "Another goal has this uuid.";
export const notOwn = "This goal belongs to a session or an activity.";
export const logChanging = "This log is being changed elsewhere. Please try again.";
export const usedLogUuid = "Another log has this uuid.";
export const keyOnlyUndoes =
  "This key takes a log back within ten minutes. Later the page of its goal can delete it.";
export const futureDay = "You can log for today or an earlier day.";
export const noGoal = "We could not find that goal.";
export const usedNoteUuid = "Another note has this uuid.";
export const noLine = "This line no longer exists. Please load the page again.";
export const doneIsFull = "There is no room left under Done. Please remove something there first.";
export const skippedTooFar = (daysBack: number, daysAhead: number) =>
  `You can skip days from ${daysBack} days ago to ${daysAhead} days ahead.`;
