// Every JSON call: name → method and path, exactly as documented (C-01). One table; calls/ adds what each takes and
// answers, the browser's `useCall` takes a line of it (and so loads no schema).

export const paths = {
  // the service
  readTime: ["GET", "/api/time"],
  getCsrfCookie: ["GET", "/sanctum/csrf-cookie"],
  // accounts
  login: ["POST", "/login"],
  register: ["POST", "/register"],
  logout: ["POST", "/logout"],
  getUser: ["GET", "/get-user"],
  requestPasswordReset: ["POST", "/get-password-reset"],
  resetPassword: ["POST", "/post-reset-password"],
  updateProfile: ["PATCH", "/account/user/profile"],
  readNewMessage: ["POST", "/api/users/read-new-message"],
  listPersons: ["GET", "/me/persons"],
  addPerson: ["POST", "/me/persons"],
  switchPerson: ["POST", "/me/persons/{person}/switch-to"],
  // tokens and payments
  getPaymentIntent: ["GET", "/tokens/get-payment-intent"],
  purchaseTokens: ["POST", "/tokens/purchase"],
  addFreeTokens: ["POST", "/tokens/tokens/add-free"],
  redeemTokens: ["POST", "/tokens/tokens/redeem-available"],
  viewSubscribe: ["GET", "/api/subscribe"],
  viewPricing: ["GET", "/api/pricing"],
  createSubscription: ["POST", "/api/subscriptions/create/{product}"],
  cancelSubscription: ["POST", "/api/subscriptions/cancel"],
  addPaymentMethod: ["POST", "/api/subscriptions/add-payment-method"],
  confirmPractice: ["POST", "/practice/confirm"],
  // goals, logs, notes
  listMyGoals: ["GET", "/api/my/goals"],
  listMyLogs: ["GET", "/api/my/logs"],
  listMySessions: ["GET", "/api/my/sessions"],
  listMyHuts: ["GET", "/api/my/groups"],
  listMyNotes: ["GET", "/api/my/notes"],
  viewGoal: ["GET", "/api/my/goals/{goal}"],
  viewGoalLogs: ["GET", "/api/my/goals/{goal}/logs"],
  viewGoalNotes: ["GET", "/api/my/goals/{goal}/notes"],
  createGoal: ["POST", "/api/goals/store"],
  updateGoal: ["PATCH", "/api/goals/update/{goal}"],
  completeGoal: ["POST", "/api/goals/{goal}/complete"],
  copyGoal: ["POST", "/goals/add-to-my-goals"],
  attachGoal: ["POST", "/api/challenge-events/{event}/{goal}/attach-my-goal"],
  storeQuickLog: ["POST", "/api/logs/store-quick-log"],
  startLog: ["POST", "/api/challenge-logs/{log}/start"],
  stopLog: ["POST", "/api/challenge-logs/{log}/stop"],
  completeLog: ["POST", "/api/challenge-logs/{log}/complete"],
  updateLog: ["PATCH", "/api/challenge-logs/{log}/update"],
  saveListProgress: ["POST", "/challenge-events/logs/save-task-list-progress"],
  createNote: ["POST", "/api/notes"],
  updateNote: ["PATCH", "/api/notes/{note}"],
  // activities
  viewHome: ["GET", "/api/home"],
  listActivities: ["GET", "/api/activities"],
  viewActivity: ["GET", "/api/activities/{challenge}"],
  createActivity: ["POST", "/challenges"],
  updateActivity: ["PATCH", "/challenges/{challenge}"],
  patchActivity: ["PATCH", "/challenges/{challenge}/patch"],
  deleteBySlug: ["DELETE", "/challenges/{challenge}"],
  joinBySlug: ["POST", "/challenges/{challenge}/join"],
  leaveBySlug: ["POST", "/challenges/{challenge}/leave"],
  resetBySlug: ["POST", "/challenges/{challenge}/reset"],
  // sessions, by id or by slug
  listSessions: ["GET", "/api/events"],
  viewSession: ["GET", "/api/sessions/{event}"],
  viewSessionGoals: ["GET", "/api/sessions/{event}/goals"],
  viewMemberGoals: ["GET", "/api/sessions/{event}/member-goals"],
  viewSessionLogs: ["GET", "/api/sessions/{event}/logs"],
  viewSessionForum: ["GET", "/api/sessions/{event}/hut"],
  viewSessionChat: ["GET", "/api/sessions/{event}/chat"],
  createSession: ["POST", "/challenge-events"],
  patchSession: ["PATCH", "/challenge-events/{event}/patch"],
  joinSession: ["POST", "/challenge-events/{event}/join"],
  startSession: ["POST", "/challenge-events/{event}/start"],
  endSession: ["POST", "/challenge-events/{event}/end"],
  completeSession: ["POST", "/challenge-events/{event}/complete"],
  leaveSession: ["POST", "/api/challenge-events/{event}/leave"],
  changeParticipant: ["PATCH", "/challenge-events/{event}/participants/{username}"],
  removeParticipant: ["DELETE", "/challenge-events/{event}/participants/{username}"],
  addSessionPartGroup: ["POST", "/challenge-events/{event}/events-groups"],
  saveSessionParts: ["POST", "/challenge-events/{event}/parts"],
  startPart: ["POST", "/challenge-events/{event}/parts/{part}/start"],
  pausePart: ["POST", "/challenge-events/{event}/parts/{part}/pause"],
  resumePart: ["POST", "/challenge-events/{event}/parts/{part}/resume"],
  finishPart: ["POST", "/challenge-events/{event}/parts/{part}/finish"],
  resetPart: ["POST", "/challenge-events/{event}/parts/{part}/reset"],
  adjustPart: ["POST", "/challenge-events/{event}/parts/{part}/adjust"],
  setReady: ["POST", "/challenges/{challenge}/user-is-ready"],
  createPost: ["POST", "/challenges/{challenge}/posts"],
  addPartGroup: ["POST", "/challenges/{challenge}/events-groups"],
  addPart: ["POST", "/challenges/{challenge}/parts"],
  deletePart: ["DELETE", "/challenges/{challenge}/parts/{part}/{type}"],
  reorderParts: ["PATCH", "/challenges/{challenge}/parts/reorder"],
  updatePart: ["PATCH", "/challenges/{challenge}/parts/{part}"],
  makeSummary: ["GET", "/challenges/{challenge}/prompt"],
  pollSummary: ["GET", "/challenges/{challenge}/poll"],
  streamSummary: ["GET", "/challenges/{challenge}/stream"],
  saveContent: ["PUT", "/challenges/{challenge}/save-content"],
  contributeContent: ["PUT", "/challenges/{challenge}/contribute-content"],
  createMessage: ["POST", "/messages"],
  // logs in a session
  logInSession: ["POST", "/challenge-events/{event}/logs"],
  logBySlug: ["POST", "/challenges/{challenge}/logs"],
  startSessionLog: ["POST", "/challenge-events/{event}/logs/tasks/{uuid}/start"],
  resetLog: ["POST", "/challenge-events/logs/{log}/reset"],
  pauseLog: ["POST", "/challenge-events/logs/{log}"],
  // huts
  listHuts: ["GET", "/api/groups"],
  viewHut: ["GET", "/api/group/{hut}"],
  viewHutSessions: ["GET", "/api/group/{hut}/sessions"],
  viewHutActivities: ["GET", "/api/hut/{hut}/activities"],
  createHut: ["POST", "/groups/store"],
  updateHut: ["PATCH", "/groups/{hut}/patch"],
  attachActivity: ["PATCH", "/groups/{hut}/{challenge}/attach-challenge"],
  detachActivity: ["PATCH", "/groups/{hut}/{challenge}/detach-challenge"],
  joinHut: ["POST", "/groups/{hut}/join"],
  leaveHut: ["DELETE", "/groups/{hut}/leave"],
  // items, books, uploads
  createItem: ["POST", "/items"],
  updateItem: ["PATCH", "/items/{item}"],
  deleteItem: ["DELETE", "/items/{item}"],
  searchParents: ["GET", "/items/parents/search/{person}"],
  uploadImage: ["POST", "/upload/{postSlug}"],
  listBooks: ["GET", "/api/books"],
  viewSnippet: ["GET", "/api/books/{book}/snippets/{snippet}"],
  randomSnippet: ["GET", "/api/snippets/random"],
  createParaphrase: ["POST", "/api/paraphrases"],
  updateParaphrase: ["PATCH", "/api/paraphrases/{paraphrase}/update"],
  setFavorite: ["POST", "/favorites"],
  viewMe: ["GET", "/api/me"],
  viewMeInHut: ["GET", "/api/me/{group}"],
  // pages whose address is a name: last, so that every other call comes first
  viewPerson: ["GET", "/api/{person}"],
  viewItem: ["GET", "/api/{parentItem}/{childItem}"],
} as const satisfies Record<string, readonly [Method, `/${string}`]>;

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
export type CallName = keyof typeof paths;
export type CallLine = readonly [Method, string];

/** What stands in a path for a thing that is given whole (E-24); any other is bound by its id. */
const BINDINGS: Record<string, "slug" | "username" | "uuid"> = {
  challenge: "slug",
  hut: "slug",
  group: "slug",
  book: "slug",
  person: "username",
  part: "uuid",
};
type Bound = { id?: string | number; slug?: string; username?: string; uuid?: string };
export type PathParams = Record<string, string | number | Bound>;

/**
 * `/sessions/{event}` with `{ event: 10 }` or `{ event: { id: 10 } }` → `/sessions/10`. Fails when a parameter is missing,
 * or is an object without its binding key and id (V-30).
 */
export function callPath(path: string, params: PathParams = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const given = params[name];
    const key = BINDINGS[name] ?? "id";
    const value = typeof given === "object" ? (given[key] ?? given.id) : given;
    if (value !== undefined && value !== "") return encodeURIComponent(String(value));
    throw new Error(
      typeof given === "object"
        ? `The route ${path} needs the "${key}" of its parameter "${name}".`
        : `The route ${path} needs the parameter "${name}".`,
    );
  });
}

/** Routes that the documents call by a name. */
const NAMED = {
  UpdateChallengeEvent: "/events/{event}/update",
  UpdateChallengeGroup: "/groups/{group}/update",
  "huts.store": paths.createHut[1],
} as const;
export const routeTo = (name: keyof typeof NAMED, params?: PathParams): string =>
  callPath(NAMED[name], params);
