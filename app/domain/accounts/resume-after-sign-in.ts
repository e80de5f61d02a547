// The acts of a visitor that go on after the sign-in. Every other act ends with its refusal.

/** The refusal when another person signs in than the one whose page began the act. */
export const OTHER_ACCOUNT_BEGAN = "Another account began this, so nothing was done.";

const OWN_RECORD_INTENTS = ["goal.create", "log.begin", "log.create", "log.quick", "note.create"] as const;

/** The pages with acts that resume, and the intents of these acts. */
const RESUMABLE_ACTS = [
  [/^\/sessions\/[^/]+$/, ["join", "wait", "standing.take"]],
  [/^\/sessions\/[^/]+\/goals$/, ["task.log", ...OWN_RECORD_INTENTS]],
  [/^\/sessions\/[^/]+\/logs$/, OWN_RECORD_INTENTS],
  [/^\/sessions\/[^/]+\/hut$/, ["post"]],
  [/^\/series\/[^/]+$/, ["join", "standing.take", "post"]],
  [/^\/group\/[^/]+(?:\/(?:sessions|activities))?$/, ["join"]],
  [/^\/group\/[^/]+\/forum$/, ["post"]],
  [/^\/groups\/invite$/, ["enter"]],
  [/^\/activities\/[^/]+$/, ["follow"]],
  [/^\/my\/(?:goals|logs|notes)$/, OWN_RECORD_INTENTS],
  [/^\/my\/goals\/[^/]+(?:\/(?:logs|notes))?$/, OWN_RECORD_INTENTS],
] as const satisfies readonly (readonly [page: RegExp, intents: readonly string[]])[];
export type ResumableIntent = (typeof RESUMABLE_ACTS)[number][1][number];

export const isResumable = (path: string, intent: string): boolean =>
  RESUMABLE_ACTS.some(
    ([page, intents]) => (intents as readonly string[]).includes(intent) && page.test(path),
  );
