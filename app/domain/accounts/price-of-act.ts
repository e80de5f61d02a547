// The prices that the sign-in names for the acts that go on after it (R-71, B-05).
import { PRICES, tokensOf } from "~/domain/tokens";
import type { ResumableIntent } from "./resume-after-sign-in";

const LOG = `A log costs ${tokensOf(PRICES.log)} tokens.`;
const SEAT = `costs ${tokensOf(PRICES.join)} token, unless the host pays.`;

/** null: the act is free. */
const SENTENCES: Readonly<Record<ResumableIntent, string | null>> = {
  join: `Joining ${SEAT}`,
  wait: `Waiting is free. The seat ${SEAT}`,
  "standing.take": `Each session ${SEAT}`,
  enter: null,
  follow: `Following costs ${tokensOf(PRICES.follow)} tokens.`,
  post: `A post costs ${tokensOf(PRICES.post)} tokens.`,
  "goal.create": `A goal costs ${tokensOf(PRICES.goal)} token.`,
  "note.create": `A note costs ${tokensOf(PRICES.note)} tokens.`,
  "log.create": LOG,
  "log.begin": LOG,
  "log.quick": LOG,
  "task.log": LOG,
};

/** The price of the act with this intent on the page with this path. Joining a hut is free. */
export function priceOfAct(intent: string, path: string): string | null {
  const act = intent === "join" && path.startsWith("/group/") ? "enter" : intent;
  return SENTENCES[act as ResumableIntent] ?? null;
}
