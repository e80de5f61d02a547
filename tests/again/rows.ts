// Every call that writes, and how it answers a second time. A line declares:
//
//   name | thing | first answer | at once | price | other answers
//
// `own goal` is the sender's goal as tests/roles makes it, `session` somebody else's, and `as host` names the sender of
// that cast. Requests with different keys at once have the effect of `one`, or `each` has its own. The price is in
// hundredths of a token. A repeat may give the other answers beside the first.
import { createECDH } from "node:crypto";
import { BODIES } from "../roles/calls";
import type { Actor, Role, Target, Thing } from "../roles/cast";
import type { CallName } from "../support/every-call";

const TEXT = `
  # name                      | thing                      | first           | at once | price | other answers
  login                       | own password               | ok              | each
  loginTwoStep                | -                          | UNAUTHENTICATED | one
  readPasskeyLogin            | -                          | CONFLICT        | one
  loginWithPasskey            | -                          | CONFLICT        | one
  register                    | -                          | ok              | one     |       | INVALID
  logout                      | -                          | ok              | one
  requestPasswordReset        | -                          | ok              | each
  resetPassword               | -                          | INVALID         | one
  updateProfile               | -                          | ok              | one
  readPasskeyCheck            | -                          | CONFLICT        | one
  checkLogin                  | own password               | ok              | one
  readNewPasskey              | -                          | CONFLICT        | one
  addPasskey                  | -                          | CONFLICT        | one
  addSubscription             | -                          | ok              | one
  removeSubscription          | -                          | ok              | one
  readNewMessage              | -                          | ok              | one
  addPerson                   | -                          | ok              | one     |       | INVALID
  switchPerson                | own person                 | ok              | one
  createReport                | newcomer                   | ok              | one
  blockPerson                 | newcomer                   | ok              | one
  unblockPerson               | newcomer                   | ok              | one
  readNotices                 | -                          | ok              | one
  changeNoticeSettings        | -                          | ok              | one
  pressReminder               | -                          | NOT_FOUND       | one
  purchaseTokens              | own payment                | ok              | one
  confirmPractice             | own unpaid payment         | ok              | each
  addFreeTokens               | -                          | ok              | each
  redeemTokens                | -                          | ok              | one     |       | CONFLICT
  createSubscription          | -                          | ok              | one     |       | CONFLICT
  cancelSubscription          | subscription as subscriber | ok              | one
  addPaymentMethod            | own payment                | ok              | one
  createGoal                  | -                          | ok              | each    | 100
  createGoal with a uuid      | -                          | ok              | one     | 100   | CONFLICT
  updateGoal                  | own goal                   | ok              | one
  completeGoal                | own goal                   | ok              | one
  copyGoal                    | session                    | ok              | each    | 100
  copyGoal with a uuid        | session                    | ok              | one     | 100   | CONFLICT
  attachGoal                  | own goal into a session    | ok              | one
  saveListProgress            | own goal                   | ok              | one
  storeQuickLog               | own goal                   | ok              | each    | 1
  storeQuickLog with a uuid   | own goal                   | ok              | one     | 1     | CONFLICT
  startLog                    | own log                    | ok              | one     |       | CONFLICT
  stopLog                     | own running log            | ok              | one     |       | CONFLICT
  pauseLog                    | own running log            | ok              | one     |       | CONFLICT
  completeLog                 | own running log            | ok              | one     |       | CONFLICT
  resetLog                    | own running log            | ok              | one     |       | CONFLICT
  updateLog                   | own log                    | ok              | one     |       | CONFLICT
  deleteLog                   | own log                    | ok              | one     |       | NOT_FOUND
  createNote                  | own goal                   | ok              | each    | 1
  createNote with a uuid      | own goal                   | ok              | one     | 1     | CONFLICT
  updateNote                  | own note                   | ok              | one
  createItem                  | -                          | ok              | each
  updateItem                  | own item                   | ok              | one
  deleteItem                  | own item                   | ok              | one     |       | NOT_FOUND
  createParaphrase            | snippet                    | ok              | each
  updateParaphrase            | own paraphrase             | ok              | one
  setFavorite                 | item                       | ok              | one
  uploadImage                 | -                          | INVALID         | one
  createActivity              | -                          | ok              | each
  createActivity with a uuid  | -                          | ok              | one     |       | CONFLICT
  updateActivity              | own activity               | ok              | one
  patchActivity               | own activity               | ok              | one
  deleteBySlug                | own session                | ok              | one     |       | NOT_FOUND
  joinBySlug                  | activity                   | ok              | one     | 1
  leaveBySlug                 | activity as member         | ok              | one
  resetBySlug                 | own session                | ok              | each    |       | CONFLICT
  createHut                   | -                          | ok              | each
  updateHut                   | own hut                    | ok              | one
  joinHut                     | hut                        | ok              | one
  leaveHut                    | hut as member              | ok              | one
  attachActivity              | own hut and activity       | ok              | one
  detachActivity              | own hut and activity       | ok              | one
  deleteHut                   | own hut                    | ok              | one     |       | NOT_FOUND
  changeHutMember             | own hut                    | ok              | one     |       | CONFLICT
  createSession               | -                          | ok              | each    | 100
  createSession with a uuid   | -                          | ok              | one     | 100   | CONFLICT
  patchSession                | own session                | ok              | one
  saveSessionParts            | own session                | ok              | one
  repeatSession               | own session                | ok              | each    | 100
  createSeries                | -                          | ok              | each    | 100
  changeSeries                | own series                 | ok              | one
  endSeries                   | own series                 | ok              | one
  changeSeriesDay             | own series                 | ok              | one
  setRotaHost                 | own series                 | ok              | one
  removeRotaHost              | series as participant      | ok              | one     |       | FORBIDDEN
  acceptTurn                  | series as participant      | ok              | one
  takeStandingSeat            | series                     | ok              | one
  giveUpStandingSeat          | series as participant      | ok              | one
  joinSession                 | session                    | ok              | one     | 100
  waitForSeat                 | full                       | ok              | one
  stopWaiting                 | full                       | ok              | one
  leaveSession                | session as participant     | ok              | one
  startSession                | own session                | ok              | one     |       | CONFLICT
  endSession                  | own running                | ok              | one     |       | CONFLICT
  keepSeat                    | session as participant     | ok              | one
  claimSession                | own session                | ok              | one
  notifyParticipants          | own session                | ok              | each
  completeSession             | own running                | ok              | one
  changeParticipant           | own session                | ok              | one
  removeParticipant           | own session                | ok              | one     |       | NOT_FOUND
  liftSessionBan              | own session                | ok              | one
  writeAim                    | own running                | ok              | one
  removeAim                   | own running                | ok              | one
  setReady                    | own session                | ok              | one
  createPost                  | own session                | ok              | each    | 1
  createPost with a uuid      | own session                | ok              | one     | 1     | CONFLICT
  editPost                    | own session post           | ok              | one
  deletePost                  | own session post           | ok              | one
  createMessage               | own running                | ok              | one     | 100
  editMessage                 | own line                   | ok              | one
  deleteMessage               | own line                   | ok              | one
  showLine                    | own running                | ok              | one
  clearLine                   | own running                | ok              | one
  addSessionPartGroup         | own session                | ok              | one
  addPartGroup                | own session                | ok              | one
  addPart                     | own session                | ok              | one
  addPart with a goal         | own session                | ok              | one
  updatePart                  | own session                | ok              | one
  deletePart                  | own session                | ok              | one     |       | NOT_FOUND
  reorderParts                | own session                | ok              | one
  startPart                   | own running                | CONFLICT        | one
  pausePart                   | own running                | ok              | one     |       | CONFLICT
  resumePart                  | own running                | CONFLICT        | one
  finishPart                  | own running                | ok              | one     |       | CONFLICT
  resetPart                   | own running                | ok              | one     |       | CONFLICT
  adjustPart                  | own running                | ok              | one
  nextTurn                    | own turns                  | ok              | one
  endRound                    | own turns                  | ok              | one     |       | CONFLICT
  undoRound                   | own turns                  | CONFLICT        | one
  passTurn                    | own turns                  | ok              | one     |       | FORBIDDEN
  saveContent                 | own session                | ok              | one
  contributeContent           | own turns                  | ok              | each
  contributeContent with a uuid | own turns                | ok              | one
  logInSession                | own session                | ok              | each    | 1
  logInSession with a uuid    | own session                | ok              | one     | 1     | CONFLICT
  logBySlug                   | own session                | ok              | each    | 1
  startSessionLog             | own session                | ok              | one     | 1     | CONFLICT
  startSessionLog with a uuid | own session                | ok              | one     | 1     | CONFLICT
`;

export type Row = {
  /** The call, or the call with a body of its own. */
  name: string;
  call: CallName;
  kind: string;
  target: Target;
  as: Role;
  first: string;
  atOnce: "one" | "each";
  price: number;
  others: string[];
};

const FOR_SUPER_ADMINS = ["addFreeTokens", "resetBySlug"];

export const ROWS: Row[] = TEXT.trim()
  .split("\n")
  .slice(1)
  .map((line) => {
    const [name = "", thing = "", first = "", atOnce = "", price = "", others = ""] = line
      .split("|")
      .map((cell) => cell.trim());
    const [, own, kind = "-", as] = /^(own )?(.+?)(?: as (.+))?$/.exec(thing) ?? [];
    return {
      name,
      call: name.split(" ")[0] as CallName,
      kind,
      target: own ? "own" : "theirs",
      as: (as ?? (FOR_SUPER_ADMINS.includes(name) ? "super" : "stranger")) as Role,
      first,
      atOnce: atOnce as "one" | "each",
      price: Number(price),
      others: others.split(" ").filter(Boolean),
    };
  });

const PASSWORD = "a lantern at dusk";
const fresh = () => crypto.randomUUID();
const withUuid = (title: string) => ({ challenge: { tasks: [{ title, uuid: fresh() }] } });

/** Bodies that do more than those of the role matrix. */
export const BODIES_AGAIN: Record<string, (thing: Thing, actor: Actor) => object> = {
  ...BODIES,
  login: ({ password = "" }, { user }) => ({ email: user?.email, password }),
  register: (_, { user }) => ({
    email: `new-${user?.email}`,
    username: `new-${fresh().slice(0, 8)}`,
    password: PASSWORD,
    password_confirmation: PASSWORD,
    first_name: "A",
    last_name: "B",
  }),
  requestPasswordReset: (_, { user }) => ({ email: user?.email }),
  addSubscription: () => ({
    endpoint: `https://fcm.googleapis.com/fcm/send/${fresh()}`,
    keys: {
      p256dh: createECDH("prime256v1").generateKeys().toString("base64url"),
      auth: Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url"),
    },
  }),
  addPaymentMethod: ({ payment_method = "" }) => ({ payment_method }),
  completeLog: () => ({ amount: 2 }),
  saveListProgress: ({ goal = 0 }) => ({ goal_id: goal, items: ["tick"] }),
  deleteHut: ({ hut = "" }) => ({ slug: hut }),
  createSession: () => ({ challenge: { title: "Now", is_manually_started: 1, duration: 3600 } }),
  addPart: () => ({ uuid: fresh(), type: "event", title: "One more", duration: 300 }),
  addPartGroup: () => ({ uuid: fresh(), type: "event" }),
  addSessionPartGroup: () => ({ uuid: fresh(), type: "event" }),
  "createGoal with a uuid": () => withUuid("Read"),
  "createNote with a uuid": () => ({ title: "Plan", uuid: fresh() }),
  "createPost with a uuid": () => ({ content: "Hello", uuid: fresh() }),
  "logInSession with a uuid": ({ uuid = "" }) => ({ task_uuid: uuid, amount: 1, uuid: fresh() }),
  "storeQuickLog with a uuid": ({ goal = 0 }) => ({ goal_id: goal, amount: 1, uuid: fresh() }),
  "copyGoal with a uuid": ({ session = 0, uuid = "" }) => ({
    challengeEventId: session,
    goalUuid: uuid,
    uuid: fresh(),
  }),
  "startSessionLog with a uuid": () => ({ log_uuid: fresh() }),
  nextTurn: (_, { user }) => ({ speaker: user?.username }),
  "contributeContent with a uuid": () => ({ contribution: "And so on.", uuid: fresh() }),
  "addPart with a goal": () => ({ type: "task", title: "Write", amount: 3, uuid: fresh() }),
  "createActivity with a uuid": () => ({
    challenge: { title: "Write", tasks: [{ title: "T", uuid: fresh() }] },
  }),
  "createSession with a uuid": () => ({
    challenge: {
      title: "Now",
      is_manually_started: 1,
      duration: 3600,
      tasks: [{ title: "T", uuid: fresh() }],
    },
  }),
};

/** The effect of one request, where its price alone does not tell. */
export const HOLDS: Record<string, Record<string, number | undefined>> = {
  register: { users: 1, persons: 1, token_lots: 1 },
  addPerson: { persons: 1 },
  purchaseTokens: { purchases: 1, token_lots: 1, "token_lots.granted": 1000 },
  addFreeTokens: { pool_entries: 1, "token_pool.remaining": 10_000 },
  redeemTokens: { token_lots: 1, pool_entries: 1, "token_pool.remaining": -50_000 },
  createSubscription: { subscriptions: 1 },
  addPaymentMethod: { payment_methods: 1 },
  createGoal: { goals: 1, token_entries: 1 },
  copyGoal: { goals: 1, token_entries: 1 },
  "addPart with a goal": { goals: 1, "sessions.schedule": undefined },
  storeQuickLog: { logs: 1, "goals.logs_count": 1, "goals.amount_elapsed": 1000 },
  logInSession: { logs: 1, "goals.logs_count": 1, "goals.amount_elapsed": 1000 },
  // A started timer counts from Done on.
  startSessionLog: { logs: 1, "goals.amount_elapsed": undefined },
  deleteLog: { logs: -1, "token_lots.remaining": 1 },
  createNote: { notes: 1, token_entries: 1 },
  createItem: { items: 1 },
  createParaphrase: { paraphrases: 1 },
  createActivity: { activities: 1, slugs: 1 },
  createHut: { huts: 1, hut_members: 1, "huts.user_count": 1 },
  createSession: { sessions: 1, participants: 1, slugs: 1 },
  repeatSession: { sessions: 1, participants: 1, slugs: 1 },
  createSeries: { series: 1, sessions: 1 },
  joinSession: { participants: 1, "sessions.participants_count": 1 },
  joinBySlug: { followers: 1, "activities.followers_count": 1 },
  createPost: { posts: 1, token_entries: 1 },
  contributeContent: { contributions: 1 },
};

/** A series without tokens begins, and its sessions follow (G-09). */
export const BEGINS_WITHOUT_TOKENS = new Set(["createSeries"]);
