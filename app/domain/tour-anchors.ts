// Names of places that tours point at: each is the `data-tour` attribute of one control. A step that is not here stands
// beside nothing, in the middle of the page.

/** The steps of the goal tutorial (S-23), in order, and what each points at. */
export const GOAL_ANCHORS = {
  newCreateGoal: "create-goal",
  startGoalTutorial: "goal-title",
  logProgressButton: "log-progress",
  additionalGoalFeatures: "additional-goal-features",
  finishMyGoalTour: "finish-goal",
} as const;
