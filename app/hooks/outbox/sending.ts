// Sends the entries of the outbox in their order, each once, and decides what a refusal means for the others (W-05).
import { type Day, plusDays } from "~/domain/days";
import type { ErrorCode } from "~/domain/errors";
import type { CallPath } from "~/wire/call-path";

/** A log, ticks or a note that waits in this browser. */
type NewEntry = {
  call: CallPath;
  /** It has the record's uuid, so that the server stores the record once however often it is sent. */
  body: Record<string, unknown>;
  /** The title of its goal; empty for a note without a goal. */
  about: string;
  /** The figures of the log: "+10 pages". */
  words: string;
  /** The local day on which it was made. */
  day: Day;
  /** The localStorage key of its unsent input, which is deleted once the server has stored the entry. */
  stored?: string;
};
/**
 * An act that a page puts into the outbox. Its day is that of `at`, by default today's, and a new log counts for it.
 */
export type QueuedAct = Omit<NewEntry, "day"> & { day?: Day; at?: number };
export type Entry = NewEntry & {
  /** Ascending in the order in which the entries were made. */
  id: number;
  /** The username of its account, because no other may send or see it. */
  by: string;
  /** The sentence of the last refusal. */
  refusal: string | null;
  /** Only a press of its owner sends it again. */
  isRefused: boolean;
};

/** Entries are sent for this many days. */
const MAX_DAYS = 30;
export const TOO_OLD = `This is more than ${MAX_DAYS} days old, so it can no longer be sent.`;
export const isTooOld = (day: Day, today: Day): boolean => day < plusDays(today, -MAX_DAYS);

export type Refusal = { code: ErrorCode; message: string; isAnswered: boolean };

/** `stops`: no entry can be sent now. `waits`: the next sending retries it. `ends`: only its owner retries it. */
function afterRefusal({ code, isAnswered }: Refusal): "stops" | "waits" | "ends" {
  if (!isAnswered || code === "SERVER_ERROR" || code === "RATE_LIMITED") return "stops";
  if (code === "UNAUTHENTICATED" || code === "CSRF_MISMATCH") return "stops";
  return code === "INSUFFICIENT_TOKENS" ? "waits" : "ends";
}

type Ports = {
  list: () => Promise<readonly Entry[]>;
  /** Sends an entry; returns its answer or its refusal. */
  send: (entry: Entry) => Promise<{ answer: unknown } | { refusal: Refusal }>;
  remove: (entry: Entry) => Promise<void>;
  refuse: (entry: Entry, sentence: string, isRefused: boolean) => Promise<void>;
  /** False once another account may be signed in: nothing more is sent. */
  canSend: () => boolean;
  today: Day;
};

/** Returns the stored entries with their answers. */
export async function sendInOrder(ports: Ports): Promise<{ entry: Entry; answer: unknown }[]> {
  const storedAnswers: { entry: Entry; answer: unknown }[] = [];
  for (const entry of await ports.list()) {
    if (entry.isRefused) continue;
    if (!ports.canSend()) break;
    if (isTooOld(entry.day, ports.today)) {
      await ports.refuse(entry, TOO_OLD, true);
      continue;
    }
    const answer = await ports.send(entry);
    if ("answer" in answer) {
      await ports.remove(entry);
      storedAnswers.push({ entry, answer: answer.answer });
      continue;
    }
    const effect = afterRefusal(answer.refusal);
    if (answer.refusal.isAnswered) await ports.refuse(entry, answer.refusal.message, effect === "ends");
    if (effect === "stops") break;
  }
  return storedAnswers;
}
