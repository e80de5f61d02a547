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

/** The welcome tour's steps (S-22) that point at something. */
export const TOUR_ANCHORS = {
  home: "home-sessions",
  homeSearchAndFilter: "search-and-filter",
  homeChallengeCard: "activity-card",
  challengeStart: "activity-actions",
  challengeHome: "activity-facts",
  activityEvents: "activity-sessions",
  challengeEventHome: "session-tabs",
  challengeJoin: "session-join",
  challengeEvents: "session-events",
  challengeTasks: "session-goals-tab",
  challengeParticipants: "session-participants",
  challengeForum: "session-forum-tab",
  challengeLogs: "session-logs-tab",
  challengeChat: "session-chat-tab",
  huts: "huts",
  createActivity: "create-activity",
  challengeCreate: "activity-form",
} as const;
