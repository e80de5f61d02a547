// The answer of every JSON call to every role; table.ts describes the format.
import type { CallName } from "../support/every-call";
import type { Actor, Thing } from "./cast";
import { readTable } from "./table";

/** Open to everybody. The tests of each noun check the fields that outsiders do not get. */
const OPEN = readTable(
  {},
  `
  # name              | thing     | theirs                         | own | missing
  viewHome            | -         | ok
  search              | -         | ok
  listActivities      | -         | ok
  listTemplates       | -         | ok
  listSessions        | -         | ok
  listHuts            | -         | ok
  listBooks           | -         | ok
  randomSnippet       | -         | ok
  viewSubscribe       | -         | ok
  viewPricing         | -         | ok
  viewActivity        | activity  | ok
  viewHut             | hut       | ok
  viewHutSessions     | hut       | ok
  viewHutActivities   | hut       | ok
  viewSnippet         | snippet   | ok
  viewPerson          | user      | ok
  viewItem            | item      | ok
  viewItem            | draft     | NOT_FOUND, ok owner
  viewSession         | session   | ok, ok guest
  viewSessionGoals    | session   | ok, ok guest
  viewMemberGoals     | session   | ok, ok guest
  viewSessionLogs     | session   | ok, ok guest
  viewSessionForum    | session   | ok, ok guest
  viewSeriesPlace     | series    | ok
  viewSeriesPlace     | private series | NOT_FOUND, ok member hut-owner moderator owner super
  viewSessionChat     | session   | ok, ok guest
  viewSession         | coded     | ok, ok guest
  viewSessionGoals    | coded     | ok, ok guest
  viewMemberGoals     | coded     | ok, ok guest
  viewSessionLogs     | coded     | ok, ok guest
  viewSessionForum    | coded     | ok, ok guest
  viewSessionChat     | coded     | ok, ok guest
  # An empty field spares these three the hash of a password; no role changes their answer.
  login               | -         | INVALID, INVALID guest
  register            | -         | INVALID, INVALID guest
  loginTwoStep        | -         | UNAUTHENTICATED, UNAUTHENTICATED guest # the token of no sign-in
  # The host of the tests is an address of numbers, to which no passkey belongs.
  readPasskeyLogin    | -         | CONFLICT, CONFLICT guest
  loginWithPasskey    | -         | CONFLICT, CONFLICT guest
  requestPasswordReset| -         | ok
  resetPassword       | -         | INVALID
  logout              | -         | ok, ok guest
`,
);

const ACCOUNT = readTable(
  { visitor: "UNAUTHENTICATED" },
  `
  getUser             | -         | ok
  updateProfile       | -         | ok
  updateProfile       | password  | INVALID, ok owner              | ok  | -    # another address, with this password
  readPasskeyCheck    | -         | CONFLICT
  checkLogin          | -         | INVALID                         # neither password nor code nor passkey
  checkLogin          | password  | INVALID, ok owner               | ok  | -
  readNewPasskey      | -         | CONFLICT
  # The table sends no subscription.
  addSubscription     | -         | INVALID
  removeSubscription  | -         | ok
  addPasskey          | -         | CONFLICT
  readNewMessage      | -         | ok
  listPersons         | -         | ok
  addPerson           | -         | ok
  switchPerson        | person    | NOT_FOUND, ok owner
  createReport        | newcomer  | ok                             | -
  createReport        | user      | -                              | INVALID | -
  createReport        | item      | ok, INVALID owner              | INVALID
  createReport        | draft     | NOT_FOUND, INVALID owner       | INVALID
  createReport        | hut       | ok, INVALID hut-owner          | INVALID
  createReport        | session   | ok, INVALID host, ok guest               | INVALID
  createReport        | coded     | ok, INVALID host, ok guest               | INVALID
  createReport        | session post | ok, INVALID host            | INVALID
  createReport        | coded post | NOT_FOUND, ok admin ex-admin participant super, INVALID host | INVALID
  createReport        | line      | NOT_FOUND, ok admin ex-admin participant super, INVALID host, ok guest | INVALID
  blockPerson         | newcomer  | ok                             | -
  blockPerson         | user      | -                              | INVALID | -   # oneself
  unblockPerson       | newcomer  | ok                             | -
  viewMe              | -         | ok
  viewMeInHut         | hut       | ok
  listMyGoals         | -         | ok
  listMyLogs          | -         | ok
  listMySessions      | -         | ok
  listMyHuts          | -         | ok
  listMyNotes         | -         | ok
  listMyNotices       | -         | ok
  readNotices         | -         | ok
  changeNoticeSettings | -        | ok
  pressReminder       | -         | NOT_FOUND                      # the token is forged
  getPaymentIntent    | -         | ok
  purchaseTokens      | payment   | NOT_FOUND, ok owner
  confirmPractice     | unpaid payment | NOT_FOUND, ok owner
  addFreeTokens       | -         | FORBIDDEN, ok super
  redeemTokens        | -         | ok
  createSubscription  | -         | ok, CONFLICT subscriber
  cancelSubscription  | subscription | NOT_FOUND, ok subscriber    | -
  addPaymentMethod    | -         | NOT_FOUND                       # the id of no card
`,
);

/** The owner manages goals, logs and notes; the people who run a session manage its goals. */
const PERSONAL = readTable(
  { visitor: "UNAUTHENTICATED" },
  `
  createGoal          | -             | ok
  viewGoal            | goal          | NOT_FOUND, ok owner
  viewGoalLogs        | goal          | NOT_FOUND, ok owner
  viewGoalNotes       | goal          | NOT_FOUND, ok owner
  updateGoal          | goal          | NOT_FOUND, ok owner
  completeGoal        | goal          | NOT_FOUND, ok owner
  saveListProgress    | goal          | NOT_FOUND, ok owner, NOT_FOUND guest| ok | NOT_FOUND, NOT_FOUND guest
  storeQuickLog       | goal          | NOT_FOUND, ok owner, NOT_FOUND guest| ok | NOT_FOUND, NOT_FOUND guest
  startLog            | log           | NOT_FOUND, ok owner, NOT_FOUND guest| ok | NOT_FOUND, NOT_FOUND guest
  stopLog             | running log   | NOT_FOUND, ok owner, NOT_FOUND guest| ok | NOT_FOUND, NOT_FOUND guest
  pauseLog            | running log   | NOT_FOUND, ok owner, NOT_FOUND guest| ok | NOT_FOUND, NOT_FOUND guest
  completeLog         | log           | NOT_FOUND, ok owner, NOT_FOUND guest| ok | NOT_FOUND, NOT_FOUND guest
  resetLog            | running log   | NOT_FOUND, ok owner
  updateLog           | log           | NOT_FOUND, ok owner
  deleteLog           | log           | NOT_FOUND, ok owner, NOT_FOUND guest| ok | NOT_FOUND, NOT_FOUND guest
  createNote          | goal          | INVALID, ok owner             | ok  | INVALID
  updateNote          | note          | NOT_FOUND, ok owner
  createItem          | -             | ok
  updateItem          | item          | FORBIDDEN, ok owner
  updateItem          | draft         | NOT_FOUND, ok owner
  deleteItem          | item          | FORBIDDEN, ok owner
  deleteItem          | draft         | NOT_FOUND, ok owner
  searchParents       | user          | FORBIDDEN, ok owner
  createParaphrase    | snippet       | ok
  updateParaphrase    | paraphrase    | FORBIDDEN, ok owner
  setFavorite         | item          | ok
  uploadImage         | -             | ok
`,
);

const ACTIVITIES = readTable(
  { visitor: "UNAUTHENTICATED" },
  `
  createActivity      | -             | ok
  updateActivity      | activity      | FORBIDDEN, ok owner super
  patchActivity       | activity      | FORBIDDEN, ok owner super
  deleteBySlug        | activity      | FORBIDDEN, ok owner super
  joinBySlug          | activity      | ok
  leaveBySlug         | activity      | ok
  resetBySlug         | activity      | FORBIDDEN, ok super            | FORBIDDEN, ok super | FORBIDDEN, NOT_FOUND super
  createHut           | -             | ok
  updateHut           | hut           | FORBIDDEN, ok hut-owner super
  joinHut             | hut           | ok
  leaveHut            | hut           | ok
  attachActivity      | hut and activity | FORBIDDEN, ok hut-owner owner super
  detachActivity      | hut and activity | FORBIDDEN, ok hut-owner owner super
  attachActivity      | my activity   | FORBIDDEN, ok hut-owner moderator owner member super | ok
  deleteHut           | hut           | FORBIDDEN, INVALID hut-owner super | INVALID   # without its slug
  changeHutMember     | hut           | FORBIDDEN, ok hut-owner super
  changeHutMember     | hut muting    | FORBIDDEN, ok hut-owner moderator super
  createSession       | activity      | ok                             | ok   | INVALID
`,
);

/** The host, current admins and super admins run a session; the host and super admins own it. */
const SESSIONS = readTable(
  { visitor: "UNAUTHENTICATED" },
  `
  updateActivity      | session | FORBIDDEN, ok host admin super
  patchActivity       | session | FORBIDDEN, ok host admin super
  patchSession        | session | FORBIDDEN, ok host admin super
  saveSessionParts    | session | FORBIDDEN, ok host admin super
  deleteBySlug        | session | FORBIDDEN, ok host super
  deleteBySlug        | running | FORBIDDEN, CONFLICT host super        | CONFLICT
  deleteBySlug        | ended   | FORBIDDEN, ok host super
  resetBySlug         | session | FORBIDDEN, ok super                   | FORBIDDEN, ok super | FORBIDDEN, NOT_FOUND super
  repeatSession       | session | FORBIDDEN, ok host
  repeatSession       | coded   | FORBIDDEN, ok host
  repeatSession       | ended   | FORBIDDEN, ok host
  listMySeries        | -       | ok
  createSeries        | -       | ok
  viewSeries          | series  | NOT_FOUND, ok host participant super
  changeSeries        | series  | NOT_FOUND, FORBIDDEN participant, ok host super
  endSeries           | series  | NOT_FOUND, FORBIDDEN participant, ok host super
  changeSeriesDay     | series  | NOT_FOUND, FORBIDDEN participant, ok host super
  setRotaHost         | series  | NOT_FOUND, FORBIDDEN participant, ok host super
  acceptTurn          | series  | NOT_FOUND, ok participant             | NOT_FOUND
  removeRotaHost      | series  | NOT_FOUND, ok participant host super      # the participant declines
  takeStandingSeat    | series  | ok, CONFLICT host                     | CONFLICT
  giveUpStandingSeat  | series  | ok
  joinBySlug          | session | ok
  joinBySlug          | coded   | ok
  joinSession         | session | ok, ok guest
  joinSession         | coded   | ok, ok guest # with the code
  joinSession         | running | ok, ok guest
  joinSession         | ended   | CONFLICT, ok host admin ex-admin participant, ok guest
  joinSession         | full    | SESSION_FULL, ok host admin ex-admin participant, ok guest
  waitForSeat         | full    | ok, CONFLICT host admin ex-admin participant | CONFLICT
  stopWaiting         | full    | ok
  leaveBySlug         | session | ok, CONFLICT host                     | CONFLICT
  leaveSession        | session | ok, CONFLICT host, ok guest                     | CONFLICT
  startSession        | session | FORBIDDEN, ok host admin super
  startSession        | running | FORBIDDEN, CONFLICT host admin super  | CONFLICT
  endSession          | session | FORBIDDEN, ok host super
  endSession          | running | FORBIDDEN, ok host super
  endSession          | ended   | FORBIDDEN, CONFLICT host super        | CONFLICT
  keepSeat            | session | FORBIDDEN, ok host admin ex-admin participant
  claimSession        | session | FORBIDDEN, CONFLICT admin, ok host
  claimSession        | running | FORBIDDEN, CONFLICT admin, ok host    # no admin of the tests has a socket
  notifyParticipants  | session | FORBIDDEN, ok host admin super
  completeSession     | running | FORBIDDEN, ok host admin ex-admin participant, ok guest
  writeAim            | running | FORBIDDEN, ok host admin ex-admin participant, ok guest
  writeAim            | session | FORBIDDEN, CONFLICT host admin ex-admin participant, CONFLICT guest | CONFLICT # it has no start
  writeAim            | coded   | FORBIDDEN, CONFLICT host admin ex-admin participant, CONFLICT guest | CONFLICT
  removeAim           | running | FORBIDDEN, ok host admin participant super # the participant's own
  changeParticipant   | session | FORBIDDEN, ok host super
  removeParticipant   | session | FORBIDDEN, ok host super
  changeParticipant   | muting  | FORBIDDEN, ok host admin super
  removeParticipant   | keeping out | FORBIDDEN, ok host super
  liftSessionBan      | session | FORBIDDEN, ok host super
  setReady            | session | FORBIDDEN, ok host admin ex-admin participant, ok guest| ok | NOT_FOUND, NOT_FOUND guest
  createPost          | session | FORBIDDEN, ok host admin ex-admin participant
  createPost          | coded   | FORBIDDEN, ok host admin ex-admin participant
  editPost            | session post | FORBIDDEN, ok host
  editPost            | coded post | NOT_FOUND, FORBIDDEN admin ex-admin participant super, ok host
  editPost            | hut post | FORBIDDEN, ok member | ok, FORBIDDEN hut-owner # in the hut of its owner the post is a member's
  deletePost          | session post | FORBIDDEN, ok host admin super
  deletePost          | coded post | NOT_FOUND, FORBIDDEN ex-admin participant, ok host admin super
  deletePost          | hut post | FORBIDDEN, ok member hut-owner moderator super
  createMessage       | session | FORBIDDEN, CONFLICT host admin ex-admin participant, CONFLICT guest | CONFLICT
  createMessage       | running | FORBIDDEN, ok host admin ex-admin participant, ok guest
  editMessage         | line    | FORBIDDEN, ok host, FORBIDDEN guest
  deleteMessage       | line    | FORBIDDEN, ok host admin super
  showLine            | session | FORBIDDEN, CONFLICT host admin ex-admin participant | CONFLICT
  showLine            | running | FORBIDDEN, ok host admin
  clearLine           | running | FORBIDDEN, ok host admin
  addSessionPartGroup | session | FORBIDDEN, ok host admin super
  addPartGroup        | session | FORBIDDEN, ok host admin super
  addPart             | session | FORBIDDEN, ok host admin super
  updatePart          | session | FORBIDDEN, ok host admin super
  deletePart          | session | FORBIDDEN, ok host admin super
  reorderParts        | session | FORBIDDEN, ok host admin super
  startPart           | running | FORBIDDEN, CONFLICT host admin super  | CONFLICT   # it runs already
  pausePart           | running | FORBIDDEN, ok host admin super
  resumePart          | running | FORBIDDEN, CONFLICT host admin super  | CONFLICT   # it runs already
  finishPart          | running | FORBIDDEN, ok host admin super
  resetPart           | running | FORBIDDEN, ok host admin super
  adjustPart          | running | FORBIDDEN, ok host admin super
  nextTurn            | turns   | FORBIDDEN, ok host admin super
  endRound            | turns   | FORBIDDEN, ok host admin super
  undoRound           | turns   | FORBIDDEN, CONFLICT host admin super  | CONFLICT   # no step came before
  passTurn            | turns   | FORBIDDEN, ok host                     # the host has the first turn
  saveContent         | session | FORBIDDEN, ok host admin super
  saveContent         | running | FORBIDDEN, ok host super              # no part lets its admins write
  contributeContent   | session | FORBIDDEN, CONFLICT host admin ex-admin participant, CONFLICT guest | CONFLICT| NOT_FOUND, NOT_FOUND guest
  contributeContent   | running | FORBIDDEN, FORBIDDEN guest                              | FORBIDDEN | NOT_FOUND, NOT_FOUND guest # no part asks for it
  contributeContent   | turns   | FORBIDDEN, ok host, FORBIDDEN guest                    | ok | NOT_FOUND, NOT_FOUND guest # the host has the first turn
  makeSummary         | session | FORBIDDEN, ok host admin ex-admin participant super
  pollSummary         | session | FORBIDDEN, ok host admin ex-admin participant super
  streamSummary       | session | FORBIDDEN, ok host admin ex-admin participant super
  logInSession        | session | FORBIDDEN, ok host admin ex-admin participant, ok guest
  logBySlug           | session | FORBIDDEN, ok host admin ex-admin participant, ok guest| ok | NOT_FOUND, NOT_FOUND guest
  startSessionLog     | session | FORBIDDEN, ok host admin ex-admin participant, ok guest
  copyGoal            | session | ok
  copyGoal            | coded   | NOT_FOUND, ok host admin ex-admin participant super
  attachGoal          | session | FORBIDDEN, ok host admin ex-admin participant
  attachGoal          | goal into a session | NOT_FOUND, ok owner        | ok
  saveListProgress    | session goal | NOT_FOUND, ok host admin ex-admin participant, ok guest| ok | NOT_FOUND, NOT_FOUND guest
  storeQuickLog       | session goal | NOT_FOUND, ok host admin ex-admin participant, ok guest| ok | NOT_FOUND, NOT_FOUND guest
  # An admin added this goal and was removed since.
  updateGoal          | session goal | NOT_FOUND, ok host admin super
  completeGoal        | session goal | NOT_FOUND, ok host admin super
  viewGoal            | session goal | NOT_FOUND, ok host admin super
  viewGoalLogs        | session goal | NOT_FOUND, ok host admin super
  viewGoalNotes       | session goal | NOT_FOUND, ok host admin super
`,
);

/** Mounted by hand, so no line of wire/calls names them. */
const BY_HAND = readTable(
  {},
  `
  readTime            | - | ok, ok guest
  getCsrfCookie       | - | ok, ok guest
  stripeWebhook       | - | FORBIDDEN                # without the provider's signature
`,
);

export const CALL_ROWS = [...OPEN, ...ACCOUNT, ...PERSONAL, ...ACTIVITIES, ...SESSIONS, ...BY_HAND];

let count = 0;
const fresh = () => `x${++count}${crypto.randomUUID().slice(0, 6)}`;

/** The reference to a thing in a report; a missing one is an item. */
const reportedOf = ({ post, seq, event, itemId, hut, slug, hutId, username }: Thing): object => {
  if (post !== undefined && slug !== undefined && post !== 999_999_999) return { kind: "post", id: post };
  if (seq !== undefined && seq !== 999_999_999) return { kind: "message", id: `${event}:${seq}` };
  if (itemId !== undefined) return { kind: "item", id: itemId };
  if (hutId !== undefined) return { kind: "hut", id: String(hut) };
  if (event !== undefined) return { kind: "session", id: event };
  return { kind: "person", id: String(username) };
};
/** The body of each call; a call without a line here sends only its path. */
export const BODIES: Partial<Record<CallName, (thing: Thing, actor: Actor) => object>> = {
  pressReminder: () => ({ token: "forged", press: "0" }),
  createReport: (thing) => ({ ...reportedOf(thing), reason: "spam" }),
  login: () => ({ email: "nobody@example.com", password: "" }),
  requestPasswordReset: () => ({ email: "nobody@example.com" }),
  updateProfile: ({ password }) =>
    typeof password === "string"
      ? { userData: { email: `${fresh()}@example.com`, current_password: password } }
      : { userData: { first_name: "Ada" } },
  loginTwoStep: () => ({ token: "no-such-token", code: "123456" }),
  loginWithPasskey: () => ({ response: { id: "none", response: {} } }),
  addPasskey: () => ({ name: "Phone", response: { id: "none", response: {} } }),
  checkLogin: ({ password }) => (typeof password === "string" ? { current_password: password } : {}),
  readNewMessage: () => ({ message_key: "free_tokens" }),
  addPerson: () => ({ username: fresh() }),
  purchaseTokens: ({ paymentIntent = "" }) => ({ paymentIntent }),
  confirmPractice: ({ client_secret = "" }) => ({
    client_secret,
    card: { number: "4242424242424242", exp_month: 12, exp_year: 2040, cvc: "123" },
  }),
  addFreeTokens: () => ({ amount: 100 }),
  cancelSubscription: ({ id = 0 }) => ({ id }),
  addPaymentMethod: () => ({ payment_method: "pm_no_such" }),
  createGoal: () => ({ challenge: { tasks: [{ title: "Read" }] } }),
  updateGoal: () => ({ challenge: { tasks: [{ title: "Read more" }] } }),
  copyGoal: ({ session = 0, uuid = "" }) => ({ challengeEventId: session, goalUuid: uuid }),
  saveListProgress: ({ goal = 0 }) => ({ goal_id: goal, items: [] }),
  storeQuickLog: ({ goal = 0 }) => ({ goal_id: goal, amount: 1 }),
  stopLog: () => ({ status: 4 }),
  updateLog: () => ({ title: "Corrected" }),
  createNote: ({ goal }) => ({ title: "Plan", goal_id: goal }),
  updateNote: () => ({ title: "Plan B" }),
  createItem: () => ({ itemData: { title: "An item" } }),
  updateItem: () => ({ itemData: { title: "Another title" } }),
  createParaphrase: ({ snippet = 0 }) => ({ snippet_id: snippet, content: "Quiet, it was." }),
  updateParaphrase: () => ({ content: "It was still." }),
  setFavorite: ({ item = 0 }) => ({ favoritable_type: "item", favoritable_id: item, favorite: 1 }),
  createActivity: () => ({ challenge: { title: "Write" } }),
  updateActivity: () => ({ challenge: { title: "Write more" } }),
  patchActivity: () => ({ challenge: { title: "Write more" } }),
  createHut: () => ({ hut: { title: "A hut" } }),
  updateHut: () => ({ hut: { title: "Another hut" } }),
  changeHutMember: ({ mute }) => (mute === 300 ? { mute } : { role: 1 }),
  createSession: ({ challenge = "" }) => ({
    challenge: { title: "Now", challenge_slug: challenge, is_manually_started: 1, duration: 3600 },
  }),
  createSeries: () => ({
    series: {
      rule: "FREQ=MONTHLY;COUNT=1",
      time_zone: "UTC",
      started_at: Date.now() + 86_400_000,
      session: { title: "Monthly", duration: 3600 },
    },
  }),
  changeSeries: () => ({ paused: 1 }),
  changeSeriesDay: () => ({ skip: 1 }),
  patchSession: () => ({ challenge: { title: "Later" } }),
  saveSessionParts: () => ({ challenge: { parts: [{ uuid: "g", parts: [{ uuid: "p1", duration: 600 }] }] } }),
  joinSession: ({ join_code = "" }) => ({ join_code }),
  changeParticipant: ({ mute }) => (mute === 300 ? { mute } : { role: 1 }),
  removeParticipant: ({ keep_out }) => ({ keep_out: keep_out === 1 ? 1 : 0 }),
  setReady: () => ({ is_ready: 1 }),
  writeAim: () => ({ aim: "Two pages" }),
  createPost: () => ({ item: { title: "Hello", content: "Hello" } }),
  editMessage: () => ({ content: "Hello again" }),
  showLine: () => ({ content: "Hello all" }),
  editPost: () => ({ item: { content: "Hello again" } }),
  notifyParticipants: () => ({ content: "Hello" }),
  createMessage: ({ session = 0 }) => ({
    content: "Hello",
    messageable_type: "challenge_event",
    messageable_id: session,
  }),
  addSessionPartGroup: () => ({ uuid: fresh(), type: "event" }),
  addPartGroup: () => ({ uuid: fresh(), type: "event" }),
  addPart: () => ({ uuid: fresh(), type: "event", title: "One more", duration: 300 }),
  updatePart: () => ({ type: "event", title: "Renamed" }),
  reorderParts: () => ({ type: "event", events_group_uuid: "g1", parts: { p1: 1, p2: 0 } }),
  adjustPart: () => ({ seconds: 60 }),
  saveContent: () => ({ content: "Begin here." }),
  contributeContent: () => ({ contribution: "And so on." }),
  logInSession: ({ uuid = "" }) => ({ task_uuid: uuid, amount: 1 }),
  logBySlug: ({ uuid = "" }) => ({ task_uuid: uuid, amount: 1 }),
  startSessionLog: () => ({}),
};

/** The query of a call. */
export const QUERIES: Partial<Record<CallName, (thing: Thing) => string>> = {
  joinBySlug: ({ join_code = "" }) => `?join_code=${join_code}`,
};
