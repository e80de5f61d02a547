// The sentences that refuse an act on goals, logs and notes. A door answers them beside the code of the error.

export const GOAL_REFUSALS = {
  usedUuid: "Another goal has this uuid.",
  notOwn: "This goal belongs to a session or an activity.",
  logChanging: "This log is being changed elsewhere. Please try again.",
  usedLogUuid: "Another log has this uuid.",
  futureDay: "You can log for today or an earlier day.",
  noGoal: "We could not find that goal.",
  usedNoteUuid: "Another note has this uuid.",
  noLine: "This line no longer exists. Please load the page again.",
  doneIsFull: "There is no room left under Done. Please remove something there first.",
  skippedTooFar: (daysBack: number, daysAhead: number) =>
    `You can skip days from ${daysBack} days ago to ${daysAhead} days ahead.`,
} as const;
