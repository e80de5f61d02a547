// Every call that takes a text, with the place in which others read it, or as one whose text nobody
// else reads. tests/writing.workers.test.ts asks each door as each person who may not write.
import document from "~/wire/openapi.json";
import type { CallName } from "../support/every-call";
import type { Thing } from "./cast";

type Door = {
  /** `log`: the log counts, and nobody else reads its words. */
  place: "session" | "hut" | "log";
  /** The body with the person's own words. */
  body: (thing: Thing, words: string) => object;
};

const inSession = (body: Door["body"]): Door => ({ place: "session", body });
const inHut = (body: Door["body"]): Door => ({ place: "hut", body });
const ofLog = (body: Door["body"]): Door => ({ place: "log", body });

/** The doors to words that others read, beside those of the site's own lists, where a suspension alone closes. */
export const DOORS: Partial<Record<CallName, Door>> = {
  createPost: inSession((_, words) => ({ item: { title: words, content: words } })),
  editPost: inSession((_, words) => ({ item: { content: words } })),
  createMessage: inSession(({ event = 0 }, words) => ({
    content: words,
    messageable_type: "challenge_event",
    messageable_id: event,
  })),
  editMessage: inSession((_, words) => ({ content: words })),
  showLine: inSession((_, words) => ({ content: words.slice(0, 200) })),
  contributeContent: inSession((_, words) => ({ contribution: words })),
  writeAim: inSession((_, words) => ({ aim: words })),
  saveContent: inSession((_, words) => ({ title: words, content: words, prompt: words })),
  patchSession: inSession((_, words) => ({ challenge: { title: words } })),
  addPart: inSession((_, words) => ({
    uuid: crypto.randomUUID(),
    type: "event",
    title: words,
    duration: 300,
  })),
  updatePart: inSession((_, words) => ({ type: "event", title: words })),
  addPartGroup: inSession(() => ({ uuid: crypto.randomUUID(), type: "event" })),
  addSessionPartGroup: inSession(() => ({ uuid: crypto.randomUUID(), type: "event" })),
  saveSessionParts: inSession((_, words) => ({
    challenge: { parts: [{ uuid: "g", parts: [{ uuid: "a", title: words, duration: 600 }] }] },
  })),
  notifyParticipants: inSession((_, words) => ({ content: words })),
  updateGoal: inSession((_, words) => ({ challenge: { tasks: [{ title: words }] } })),
  logInSession: ofLog((_, words) => ({ title: words, content: words, action: words, amount: 1 })),
  logBySlug: ofLog((_, words) => ({ title: words, content: words, amount: 1 })),
  startSessionLog: ofLog((_, words) => ({ title: words, content: words })),
  storeQuickLog: ofLog(({ goal = 0 }, words) => ({ goal_id: goal, title: words, content: words, amount: 1 })),
  updateLog: ofLog((_, words) => ({ title: words, content: words })),
  completeLog: ofLog((_, words) => ({ title: words, content: words })),
  createItem: inHut(({ hutId }, words) => ({
    itemData: { title: words, content: words, status: 1, group_id: hutId },
  })),
  updateItem: inHut((_, words) => ({ itemData: { title: words, content: words } })),
  createActivity: inHut(({ hutId }, words) => ({ challenge: { title: words, hut_id: hutId } })),
  updateActivity: inHut((_, words) => ({ challenge: { title: words } })),
  patchActivity: inHut((_, words) => ({ challenge: { title: words } })),
  createSession: inHut(({ hutId }, words) => ({
    challenge: { title: words, hut_id: hutId, is_manually_started: 1, duration: 3600 },
  })),
  createParaphrase: inHut(({ snippet = 0 }, words) => ({ snippet_id: snippet, content: words })),
  updateParaphrase: inHut((_, words) => ({ content: words })),
  updateHut: inHut((_, words) => ({ hut: { title: words } })),
};

/** Calls with a text that nobody else reads, or that is no sentence: a password, an id, a date. */
export const UNREAD = new Set<CallName>(
  `
  login loginTwoStep loginWithPasskey register requestPasswordReset resetPassword checkLogin addPasskey addSubscription
  readNewMessage purchaseTokens createSubscription addPaymentMethod confirmPractice pressReminder readNotices changeNoticeSettings
  createGoal copyGoal saveListProgress startLog stopLog pauseLog createNote updateNote joinBySlug repeatSession
  joinSession waitForSeat reorderParts changeSeriesDay takeStandingSeat deleteHut nextTurn
`
    .trim()
    .split(/\s+/) as CallName[],
);

/** Words that others read, in a place without mutes and bans: a name, a report, a new hut, a reason to one person. */
export const ELSEWHERE = new Set<CallName>([
  "updateProfile",
  "addPerson",
  "createReport",
  "createHut",
  "changeParticipant",
  "removeParticipant",
  "changeHutMember",
  // Their sessions are made and changed by the use cases of createSession and patchSession.
  "createSeries",
  "changeSeries",
]);

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
} & Partial<Record<"anyOf" | "oneOf" | "allOf", Schema[]>>;

/** Whether a sentence fits into a field: a choice, a pattern such as a uuid's, or a number leaves it no room. */
function takesSentence(given: Schema): boolean {
  const named = given.$ref?.split("/").at(-1) as keyof typeof document.components.schemas | undefined;
  const schema: Schema = named ? (document.components.schemas[named] as Schema) : given;
  if (schema.enum || "const" in schema || schema.format || schema.pattern) return false;
  const { anyOf = [], oneOf = [], allOf = [], items, properties = {} } = schema;
  const within = [...anyOf, ...oneOf, ...allOf, ...Object.values(properties), ...(items ? [items] : [])];
  return [schema.type].flat().includes("string") || within.some(takesSentence);
}

type Operation = { operationId: string; requestBody?: { content: Record<string, { schema: Schema }> } };
/** The documented calls that write and take a text. */
export const TAKING_TEXT = Object.values(document.paths as Record<string, Record<string, Operation>>)
  .flatMap((methods) => Object.entries(methods))
  .filter(([method, { requestBody }]) => {
    const schema = requestBody?.content["application/json"]?.schema;
    return method !== "get" && schema !== undefined && takesSentence(schema);
  })
  .map(([, { operationId }]) => operationId as CallName);
