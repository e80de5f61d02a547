// The steps of the two tours, in order (S-22, S-23): page, anchor and text of each. Plain data.
import type { TourPlaces } from "~/domain/library";
import { GOAL_ANCHORS, TOUR_ANCHORS } from "~/domain/tour-anchors";

export type TourName = "welcome" | "goal";

export type TourStep = {
  name: string;
  /** The page of the step; with a query only if the step needs it. */
  path: string;
  /** The page for visitors, if `path` is closed to them. */
  visitorPath?: string;
  /** The anchor; without one, or if it is missing, the step is centred. */
  anchor?: string;
  visitorAnchor?: string;
  title: string;
  /** HTML (U-56), never from users. */
  content: string;
  /** "Continue" by default. */
  button?: string;
};

const ACTIVITY = "/activities/challenge-hut-tour";
const SESSION = "/sessions/10";

const welcome: readonly TourStep[] = [
  {
    name: "start",
    path: "/",
    title: "Welcome in",
    content:
      "<p>A bothy is a small hut in the hills, free for anyone to use. Let us show you round: it takes about two minutes.</p><p>You can leave at any time, and continue later.</p>",
    button: "Show me round",
  },
  {
    name: "home",
    path: "/",
    anchor: TOUR_ANCHORS.home,
    title: "This is home",
    content:
      "<p>Here are the sessions that are running or start soon. A <strong>session</strong> has one clock that is the same for everybody in it.</p>",
  },
  {
    name: "homeSearchAndFilter",
    path: "/",
    anchor: TOUR_ANCHORS.homeSearchAndFilter,
    title: "Search and filter",
    content: "<p>Look for what you like to do, by words, by category, or by how difficult it is.</p>",
  },
  {
    name: "homeChallengeCard",
    path: "/",
    anchor: TOUR_ANCHORS.homeChallengeCard,
    title: "An activity",
    content:
      "<p>Each card is an <strong>activity</strong>: something worth doing again. Open one to see when people meet for it. We will open one now.</p>",
  },
  {
    name: "challengeStart",
    path: ACTIVITY,
    anchor: TOUR_ANCHORS.challengeStart,
    title: "Follow it, or begin",
    content:
      "<p><strong>Follow</strong> an activity to keep it among your own. <strong>Create a Session</strong> to do it with others at a time of your choosing.</p>",
  },
  {
    name: "challengeHome",
    path: ACTIVITY,
    anchor: TOUR_ANCHORS.challengeHome,
    title: "What it is",
    content:
      "<p>What kind of activity this is, how difficult, how long it takes, and how many follow it.</p>",
  },
  {
    name: "activityEvents",
    path: ACTIVITY,
    anchor: TOUR_ANCHORS.activityEvents,
    title: "Its sessions",
    content:
      "<p>The sessions of this activity. A session lasts from 5 minutes to 1 month. We will look into the first one.</p>",
  },
  {
    name: "challengeEventHome",
    path: SESSION,
    anchor: TOUR_ANCHORS.challengeEventHome,
    title: "Inside a session",
    content:
      "<p>Everything of a session is behind these tabs: what happens, goals, the forum and the chat. Above them you see whether it is running, and for how long.</p>",
  },
  {
    name: "challengeJoin",
    path: SESSION,
    anchor: TOUR_ANCHORS.challengeJoin,
    title: "Join",
    content:
      "<p>Joining costs 1 token, unless the host pays for you. Some sessions ask for a code. Inside, mark yourself ready, so that the others know.</p>",
  },
  {
    name: "challengeEvents",
    path: SESSION,
    anchor: TOUR_ANCHORS.challengeEvents,
    title: "What happens, and when",
    content:
      "<p>A session is made of timed parts. When one ends, the next begins, on everybody's screen at the same second.</p>",
  },
  {
    name: "challengeTasks",
    path: SESSION,
    anchor: TOUR_ANCHORS.challengeTasks,
    title: "Goals",
    content:
      "<p>Goals that everybody shares, beside your own. Log what you did with one tap; it counts in the session and for you.</p>",
  },
  {
    name: "challengeParticipants",
    path: SESSION,
    anchor: TOUR_ANCHORS.challengeParticipants,
    title: "Who is here",
    content:
      "<p>See who has joined, who is online and who is ready. The <strong>key</strong> marks the person who built the session.</p>",
  },
  {
    name: "challengeForum",
    path: `${SESSION}/hut`,
    anchor: TOUR_ANCHORS.challengeForum,
    title: "The forum",
    content:
      "<p>For things worth keeping: questions, answers, how it went. It is open before and after the session.</p>",
  },
  {
    name: "challengeLogs",
    path: `${SESSION}/logs`,
    anchor: TOUR_ANCHORS.challengeLogs,
    title: "Logs",
    content: "<p>What everybody did, newest first.</p>",
  },
  {
    name: "challengeChat",
    path: `${SESSION}/chat`,
    anchor: TOUR_ANCHORS.challengeChat,
    title: "Chat",
    content: "<p>For talking to each other live: the chat is open while the session is in progress.</p>",
  },
  {
    name: "challengeBeforeHuts",
    path: `${SESSION}/chat`,
    title: "One more place",
    content:
      "<p>That was a session. People who like the same activities come back to the same place: a <strong>hut</strong>.</p>",
  },
  {
    name: "challengeBeforeHuts",
    path: "/huts",
    anchor: TOUR_ANCHORS.huts,
    title: "Huts",
    content:
      "<p>Join a hut to find its activities, its sessions and its people together. Or build your own.</p>",
  },
  {
    name: "challengeCreate",
    path: "/challenges/create",
    anchor: TOUR_ANCHORS.challengeCreate,
    visitorPath: "/activities",
    visitorAnchor: TOUR_ANCHORS.createActivity,
    title: "Make your own",
    content:
      "<p>Nothing fits? Create an activity: a title, a few words, and timers if it needs some. A template gives you a start.</p>",
  },
  {
    name: "end",
    path: "/",
    title: "That was it",
    content:
      "<p>Now it is yours. Join a session, or set yourself a goal. You find this tour again at the foot of every page.</p>",
    button: "Close",
  },
];

const goal: readonly TourStep[] = [
  {
    name: "newCreateGoal",
    path: "/my/goals",
    anchor: GOAL_ANCHORS.newCreateGoal,
    title: "Create a goal",
    content: "<p>It begins here. A goal is anything you want to do, once or again and again.</p>",
  },
  {
    name: "startGoalTutorial",
    path: "/my/goals?create=1",
    anchor: GOAL_ANCHORS.startGoalTutorial,
    title: "Name it",
    content:
      "<p>A few words are enough, such as <em>Read ten pages</em>. Say how much, if it can be counted: an amount, a duration, a distance.</p>",
  },
  {
    name: "logProgressButton",
    path: "/my/goals",
    anchor: GOAL_ANCHORS.logProgressButton,
    title: "Log progress",
    content:
      "<p>Every goal has <strong>Start Progress</strong>: it starts a timer that you can pause. When you are done, what you did is logged.</p>",
  },
  {
    name: "additionalGoalFeatures",
    path: "/my/goals?create=1",
    anchor: GOAL_ANCHORS.additionalGoalFeatures,
    title: "More, when you need it",
    content:
      "<p>Let it repeat, give it a checklist or timers of its own, or buttons that log something in one press.</p>",
  },
  {
    name: "finishMyGoalTour",
    path: "/my/goals",
    anchor: GOAL_ANCHORS.finishMyGoalTour,
    title: "Finish it",
    content:
      "<p>When the goal is reached, press <strong>Complete Goal</strong> on its page. Its logs stay. That is all: go and do something.</p>",
    button: "Close",
  },
];

export const tours: Record<TourName, { label: string; steps: readonly TourStep[] }> = {
  welcome: { label: "Welcome tour", steps: welcome },
  goal: { label: "Goal tutorial", steps: goal },
};

/** The page and anchor of a step for this viewer. */
export const locationOfStep = (
  step: TourStep,
  isSignedIn: boolean,
  places: TourPlaces | undefined,
): { path: string; anchor: string | undefined } =>
  isSignedIn || !step.visitorPath
    ? { path: installedPath(step.path, places), anchor: step.anchor }
    : { path: step.visitorPath, anchor: step.visitorAnchor };

/** The address of a step's page on this installation. It differs where another record had the address already (H-02). */
function installedPath(path: string, places: TourPlaces | undefined): string {
  if (places?.activity && path.startsWith(ACTIVITY))
    return path.replace(ACTIVITY, `/activities/${places.activity}`);
  return places?.session && path.startsWith(SESSION)
    ? path.replace(SESSION, `/sessions/${places.session}`)
    : path;
}
