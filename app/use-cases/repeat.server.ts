// The same key from the same user within 24 hours does nothing twice and answers the same. And what a user does
// only once at a time, whatever the keys.
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
    await reclaim(app, userId, key);
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

/** Runs `work` while no other of this user and name runs; CONFLICT meanwhile. For what an outside party is asked to do. */
export async function alone<T>(app: App, userId: number, name: string, work: () => Promise<T>): Promise<T> {
  const key = `alone:${name}`;
  const claimed = await claimRequest(app.db, { userId, key, call: name, now: app.now });
  if (claimed.length === 0) await reclaim(app, userId, key);
  try {
    return await work();
  } finally {
    // Should this fail, the next has to wait a minute.
    await forgetRequest(app.db, userId, key).catch(() => {});
  }
}

/** Takes over what a run that died had claimed; CONFLICT while it may still be working. */
async function reclaim(app: App, userId: number, key: string): Promise<void> {
  const before = instant(app.now - MINUTE);
  const taken = await reclaimRequest(app.db, { userId, key, before, now: app.now });
  if (taken.length === 0)
    throw new AppError("CONFLICT", "This request is being worked on. Please wait a moment.");
}
