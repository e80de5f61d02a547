// GET /api/health, for a check from outside: 200 while D1 answers and the minute cron runs or may still start, otherwise
// 503. It names missing settings but no other cause, and reads D1 at most every five seconds.
import type { Context } from "hono";
import { connect } from "#db/connect.server";
import { logLine } from "~/domain/log-line";
import { instant, SECOND } from "~/domain/time";
import { viewHealth } from "~/use-cases/health.server";
import type { Env } from "./env";
import type { HonoEnv } from "./serve";
import { readSettings } from "./settings";

const CACHE_SECONDS = 5;
type Answer = { status: 200 | 503; body: object };
const answers = new WeakMap<object, { answer: Answer; until: number }>();

export async function answerHealth(c: Context<HonoEnv>): Promise<Response> {
  const now = Date.now();
  const cachedAnswer = answers.get(c.env);
  const answer =
    cachedAnswer && cachedAnswer.until > now ? cachedAnswer.answer : await readHealth(c.env, now);
  if (answer !== cachedAnswer?.answer) answers.set(c.env, { answer, until: now + CACHE_SECONDS * SECOND });
  return c.json(answer.body, answer.status, { "Cache-Control": `public, max-age=${CACHE_SECONDS}` });
}

async function readHealth(env: Env, now: number): Promise<Answer> {
  const { problems } = readSettings(env);
  if (problems) return { status: 503, body: { ok: false, problems } };
  try {
    const db = connect(env.DB.withSession("first-primary"));
    const health = await viewHealth({ db, now: instant(now) });
    return { status: health.ok ? 200 : 503, body: health };
  } catch (error) {
    const cause = String((error as Error).cause ?? error).slice(0, 200);
    console.error(logLine({ event: "not-healthy", error: cause }));
    return { status: 503, body: { ok: false } };
  }
}
