// The anchors of tours: each is the `data-tour` attribute of an element. A step without an anchor is centred on the
// page.

/** The steps of the goal tutorial (S-23), in order, with their anchors. */
export const GOAL_ANCHORS = {
  newCreateGoal: "create-goal",
  startGoalTutorial: "goal-title",
  logProgressButton: "log-progress",
  additionalGoalFeatures: "additional-goal-features",
  finishMyGoalTour: "finish-goal",
} as const;

/** The steps of the welcome tour (S-22) that have an anchor. */
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
