// The acts of a visitor that go on after the sign-in. Every other act ends with its refusal.

/** After the sign-in of anybody but the person whose page began the act. */
export const ANOTHER_BEGAN = "Another account began this, so nothing was done.";

const OWN = ["goal.create", "log.begin", "log.create", "log.quick", "note.create"];

/** The pages of each kept act, and its intents there. */
const RESUMABLE_ACTS: readonly (readonly [page: RegExp, intents: readonly string[]])[] = [
  [/^\/sessions\/[^/]+$/, ["join", "wait", "standing.take"]],
  [/^\/sessions\/[^/]+\/goals$/, ["task.log", ...OWN]],
  [/^\/sessions\/[^/]+\/logs$/, OWN],
  [/^\/sessions\/[^/]+\/hut$/, ["post"]],
  [/^\/series\/[^/]+$/, ["join", "standing.take", "post"]],
  [/^\/group\/[^/]+(?:\/(?:sessions|activities))?$/, ["join"]],
  [/^\/group\/[^/]+\/forum$/, ["post"]],
  [/^\/groups\/invite$/, ["enter"]],
  [/^\/activities\/[^/]+$/, ["follow"]],
  [/^\/my\/(?:goals|logs|notes)$/, OWN],
  [/^\/my\/goals\/[^/]+(?:\/(?:logs|notes))?$/, OWN],
];

export const isResumable = (path: string, intent: string): boolean =>
  RESUMABLE_ACTS.some(([page, intents]) => intents.includes(intent) && page.test(path));
