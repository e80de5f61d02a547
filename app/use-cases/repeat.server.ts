// The same key from the same user within 24 hours does nothing twice and answers the same.
import {
  answerRequest,
  claimRequest,
  findRequest,
  forgetRequest,
  reclaimRequest,
} from "#db/queries/repeated-requests";
import { AppError } from "~/domain/errors";
import { DAY, instant, MINUTE } from "~/domain/time";
import type { App } from "./app.server";

export type RepeatedAnswer = { status: number; body: string };

/** Runs `work` once for `key`; a repeat gets the first answer. A failed run is forgotten, so that it may be tried again. */
export async function once(
  app: App,
  { userId, key, call }: { userId: number; key: string; call: string },
  work: () => Promise<RepeatedAnswer>,
): Promise<RepeatedAnswer> {
  const claimed = await claimRequest(app.db, { userId, key, call, now: app.now });
  if (claimed.length === 0) {
    const [earlier] = await findRequest(app.db, userId, key);
    if (earlier && earlier.createdAt > app.now - DAY && earlier.answer !== null && earlier.status !== null) {
      if (earlier.call !== call)
        throw new AppError("CONFLICT", "This request key was used for another call.");
      return { status: earlier.status, body: earlier.answer };
    }
    const taken = await reclaimRequest(app.db, {
      userId,
      key,
      before: instant(app.now - MINUTE),
      now: app.now,
    });
    if (taken.length === 0)
      throw new AppError("CONFLICT", "This request is being worked on. Please wait a moment.");
  }
  try {
    const answer = await work();
    await answerRequest(app.db, userId, key, answer.status, answer.body);
    return answer;
  } catch (error) {
    await forgetRequest(app.db, userId, key);
    throw error;
  }
}
