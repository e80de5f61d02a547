// How a fuzz sends its requests: a cast that is replaced now and then, the faults of answers, and what stays behind.
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { onTestFinished, vi } from "vitest";
import { newLogin } from "#tests/support/factories";
import { createHttp } from "#workers/http";
import { type Actor, assemble, type Role, type Target } from "../roles/cast";
import { shelf } from "../roles/things";
import { pages } from "../support/pages";
import type { Draw } from "./drawn";
import type { Base } from "./malformed";

/** Each cast serves this many requests: then its limits are used up, its logins ended and its things deleted. */
export const REQUESTS_PER_CAST = 500;
const SENDERS: Role[] = ["visitor", "stranger", "member", "host"];

const http = createHttp(pages);

/** After this long, Remix gives up on a page's deferred data; its timer stays for each page. */
const REMIX_STREAM_TIMEOUT_MS = 4950;

/**
 * Returns a function that clears Remix's left-over timers, because a context holds at most 10,000. A deployed worker
 * drops them with the context of each request, but here all requests share one context.
 */
export function collectPageTimers(): () => void {
  const timers: unknown[] = [];
  const original = globalThis.setTimeout;
  const collecting = (...args: Parameters<typeof original>) => {
    const timer = original(...args);
    if (args[1] === REMIX_STREAM_TIMEOUT_MS) timers.push(timer);
    return timer;
  };
  const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(collecting as typeof original);
  onTestFinished(() => void spy.mockRestore());
  return () => {
    for (const timer of timers.splice(0)) clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
  };
}

/**
 * Sends a request and reads its whole answer, closes its socket and runs its deferred work. Throws when the body
 * breaks off.
 */
export async function send(request: Request, hasLimits: boolean): Promise<{ status: number; text: string }> {
  const context = createExecutionContext();
  const answer = await http.fetch(request, { ...env, RATE_LIMITS: hasLimits ? "on" : "off" }, context);
  answer.webSocket?.accept();
  answer.webSocket?.close();
  const text = await answer.text();
  await waitOnExecutionContext(context);
  return { status: answer.status, text };
}

/** The fault of an answer, or null; `logged` holds the server's log lines. */
export async function faultOf(said: string, request: Request, hasLimits: boolean, logged: string[]) {
  logged.length = 0;
  const { status, text } = await send(request, hasLimits).catch((error) => ({
    status: 500,
    text: `threw ${error}`,
  }));
  if (status < 500) return { status, text, fault: null };
  return {
    status,
    text,
    fault: `${said}: ${status} ${text.slice(0, 200)} ${logged.join("\n").slice(0, 1500)}`,
  };
}

export function hearErrors(): string[] {
  const logged: string[] = [];
  const spy = vi
    .spyOn(console, "error")
    .mockImplementation((...said) => void logged.push(said.map(String).join(" ")));
  onTestFinished(() => void spy.mockRestore());
  return logged;
}

export async function newCast() {
  const cast = await assemble();
  const things = shelf(cast);
  const actors = cast.actors.filter(({ role }) => SENDERS.includes(role));
  return {
    actors,
    /** The thing that the path names. It is sometimes replaced, so that many remain. */
    async take({ row }: Base, target: Target, actor: Actor, draw: Draw) {
      if (draw.isOnceIn(20)) things.spend(row.kind, target, actor);
      return things.take(row.kind, target, actor);
    },
    /** The requests include signing out and ending logins. */
    signInAgain: () => Promise.all(actors.map(({ user }) => user && newLogin(user, user.loginToken))),
  };
}
