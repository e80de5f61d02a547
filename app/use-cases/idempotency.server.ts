// Idempotency: the same key from the same user takes effect once in 24 hours and repeats its answer. It also
// locks actions that a user performs one at a time, whatever the keys.
import { carryWithFirstWrite } from "#db/intercept.server";
import type { RememberedRequest, RequestKey } from "#db/queries/repeated-requests";
import * as repeatedRequests from "#db/queries/repeated-requests";
import { AppError } from "~/domain/errors";
import { logLine } from "~/domain/log-line";
import * as refusals from "~/domain/refusals";
import { DAY, type Instant, instant, MINUTE } from "~/domain/time";
import type { App } from "./app.server";
import { repeatableIds } from "./new-id.server";

export type StoredAnswer = { status: number; body: string };
type Work = (app: App) => Promise<StoredAnswer>;
/** Answers a completed request without repeating its work; `insertedId` is that of the row that it inserted. */
type ReadAgain = (app: App, insertedId: number | null) => Promise<StoredAnswer>;

/** Bytes of the longest answer that is stored; longer ones are read again from their record. */
const MAX_STORED_BYTES = 1_000_000;
const POLL_EVERY_MS = 50;
/** How long a repeat waits for the first run of the same request. */
const MAX_WAIT_MS = 5000;

/**
 * Runs `work` once for a request's key. The first writing batch stores the key, so key and work are stored together,
 * and ids that the work creates derive from the key. `request_once` refuses the batch of a repeat, which then gets the
 * first answer, waits for it while the first run is active, or reads it again if that run died. CONFLICT for a key of
 * another call or body. `asksFirst` reads the key before the work, for work that reaches beyond D1.
 */
export async function withIdempotencyKey(
  app: App,
  request: RequestKey,
  work: Work,
  readAgain: ReadAgain,
  { asksFirst = false } = {},
): Promise<StoredAnswer> {
  const since = instant(app.now - DAY);
  const findEarlier = async () =>
    (await repeatedRequests.findRequest(app.db, request.userId, request.key, since))[0];
  const withKey = (firstRunAt: Instant) => ({
    ...app,
    newId: repeatableIds(request, firstRunAt),
    requestKey: request.key,
  });
  const answerRepeat = (earlier: RememberedRequest) =>
    answerAgain(withKey(earlier.createdAt), request, earlier, findEarlier, readAgain);
  const earlier = asksFirst ? await findEarlier() : undefined;
  if (earlier) return answerRepeat(earlier);
  const carrier = carryWithFirstWrite(
    app.db,
    repeatedRequests.buildRequestKeyStatements(request, app.now, since),
  );
  let answer: StoredAnswer;
  try {
    answer = await work({ ...withKey(app.now), db: carrier.db });
  } catch (error) {
    // An earlier or faster run of the same request may have caused this refusal, by the key or by a rule.
    const concurrent = carrier.hasWritten() ? undefined : await findEarlier();
    if (!concurrent) throw error;
    return answerRepeat(concurrent);
  }
  if (carrier.hasWritten()) {
    // Until the answer is stored, a repeat waits for it or reads it again.
    app.defer(remember(app, request, answer, since));
    return answer;
  }
  const concurrent = asksFirst ? undefined : await findEarlier();
  return concurrent ? answerRepeat(concurrent) : remember(app, request, answer, since);
}

async function answerAgain(
  app: App,
  request: RequestKey,
  earlier: RememberedRequest,
  findEarlier: () => Promise<RememberedRequest | undefined>,
  readAgain: ReadAgain,
): Promise<StoredAnswer> {
  if (earlier.call !== request.call || earlier.bodyHash !== request.bodyHash)
    throw new AppError("CONFLICT", refusals.otherRequest);
  let latest = earlier;
  for (
    let age = app.now - latest.createdAt;
    latest.status === null && age < MAX_WAIT_MS;
    age += POLL_EVERY_MS
  ) {
    await pause(POLL_EVERY_MS);
    latest = (await findEarlier()) ?? latest;
  }
  if (latest.status !== null && latest.answer !== null) return { status: latest.status, body: latest.answer };
  const answer = await readAgain(app, latest.made);
  return latest.status === null ? remember(app, request, answer, instant(app.now - DAY)) : answer;
}

/** Stores the answer of done work. If that fails, the answer goes out all the same, and a repeat reads it again. */
async function remember(
  app: App,
  request: RequestKey,
  answer: StoredAnswer,
  since: Instant,
): Promise<StoredAnswer> {
  const bytes = new TextEncoder().encode(answer.body).byteLength;
  const body = bytes <= MAX_STORED_BYTES ? answer.body : null;
  const row = { ...request, status: answer.status, answer: body, now: app.now };
  try {
    const [storedRow] = await repeatedRequests.rememberAnswer(app.db, row, since);
    if (storedRow) return answer;
    const [first] = await repeatedRequests.findRequest(app.db, request.userId, request.key, since);
    return first?.status && first.answer !== null ? { status: first.status, body: first.answer } : answer;
  } catch (error) {
    // Logs only the cause, because the message of a failed query holds the answer.
    const cause = error instanceof Error ? (error.cause ?? error.name) : error;
    console.error(logLine({ event: "answer-not-stored", call: request.call, error: String(cause) }));
    return answer;
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Runs `work` under a lock of this user and name, for requests to an outside party. A repeat of the same request waits
 * for the first; any other gets CONFLICT.
 */
export async function withLock<T>(
  app: App,
  userId: number,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const key = `own:${name}`;
  const holder = app.requestKey ?? `run:${crypto.randomUUID()}`;
  const before = instant(app.now - MINUTE);
  for (let waited = 0; ; waited += POLL_EVERY_MS) {
    const lockRows = await repeatedRequests.takeLock(app.db, { userId, key, holder, before, now: app.now });
    if (lockRows.length > 0) break;
    const [lock] = await repeatedRequests.findLock(app.db, userId, key);
    if (waited >= MAX_WAIT_MS || (lock && lock.holder !== holder))
      throw new AppError("CONFLICT", refusals.requestRuns);
    await pause(POLL_EVERY_MS);
  }
  try {
    return await work();
  } finally {
    // If this fails, the next request waits a minute.
    await repeatedRequests.releaseLock(app.db, userId, key).catch(() => {});
  }
}
