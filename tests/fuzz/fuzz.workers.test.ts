// Malformed requests to every call, form and page, with limits on and off. Afterwards another person reads every
// list.
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { createHttp } from "#workers/http";
import { type Actor, assemble, newLogin, type Role, shelf, type Target } from "../roles/cast";
import { ORIGIN } from "../support/ask";
import { makeUser, type TestUser } from "../support/factories";
import { pages } from "../support/pages";
import { type Draw, drawFrom } from "./drawn";
import { type Base, drawAim, drawBase, malformed, NAMES } from "./malformed";
import { EXPORTS, openPaths } from "./readings";

const COUNT = inject("fuzzRequests");
const SEED = inject("fuzzSeed");
/** Each cast serves this many requests: then its limits are used up, its logins ended and its things deleted. */
const REQUESTS_PER_CAST = 500;
const SENDERS: Role[] = ["visitor", "stranger", "member", "host"];

const http = createHttp(pages);

/** After this long, Remix gives up on a page's deferred data; its timer stays for each page. */
const REMIX_STREAM_TIMEOUT_MS = 4950;

/**
 * Returns a function that clears Remix's left-over timers, because a context holds at most 10,000. A deployed worker
 * drops them with the context of each request, but here all requests share one context.
 */
function collectPageTimers(): () => void {
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
async function send(request: Request, hasLimits: boolean): Promise<number> {
  const context = createExecutionContext();
  const answer = await http.fetch(request, { ...env, RATE_LIMITS: hasLimits ? "on" : "off" }, context);
  answer.webSocket?.accept();
  answer.webSocket?.close();
  await answer.arrayBuffer();
  await waitOnExecutionContext(context);
  return answer.status;
}

/** The fault of an answer, or null; `logged` holds the server's log lines. */
async function faultOf(said: string, request: Request, hasLimits: boolean, logged: string[]) {
  logged.length = 0;
  const outcome = await send(request, hasLimits).catch((error) => `threw ${error}`);
  if (typeof outcome === "number" && outcome < 500) return { status: outcome, fault: null };
  return { status: 500, fault: `${said}: ${outcome} ${logged.join("\n").slice(0, 1500)}` };
}

function hearErrors(): string[] {
  const logged: string[] = [];
  const spy = vi
    .spyOn(console, "error")
    .mockImplementation((...said) => void logged.push(said.map(String).join(" ")));
  onTestFinished(() => void spy.mockRestore());
  return logged;
}

async function newCast() {
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

test("X-02 the fuzz knows the fields of the schemas", () => {
  expect(NAMES).toEqual(expect.arrayContaining(["title", "started_at", "startMode", "isReady", "goal_id"]));
  expect(NAMES.length).toBeGreaterThan(150);
});

test(
  `X-01 X-02 ${COUNT} malformed requests cause no 5xx and break no list and no export`,
  async () => {
    console.info(`fuzz: ${COUNT} requests, PROPERTY_SEED=${SEED}`);
    const logged = hearErrors();
    const clearPageTimers = collectPageTimers();
    const faults: string[] = [];
    // Printed at once, because an interrupted run never reaches the assertion.
    const complain = (fault: string) => {
      console.info(`fuzz: ${fault}`);
      faults.push(fault);
    };
    const answers: Record<string, number> = {};
    let written = 0;
    const senders: TestUser[] = [];
    let world = await newCast();
    for (let n = 0; n < COUNT; n++) {
      const draw = drawFrom(SEED + n * 7919);
      if (n > 0 && n % REQUESTS_PER_CAST === 0) world = await newCast();
      if (n % REQUESTS_PER_CAST === 0) senders.push(...world.actors.flatMap(({ user }) => user ?? []));
      await world.signInAgain();
      const base = drawBase(draw);
      const [actor, target] = drawAim(draw, base, world.actors);
      const { request, said } = malformed(draw, base, await world.take(base, target, actor, draw), actor);
      const { status, fault } = await faultOf(`#${n} ${said}`, request, n % 2 === 0, logged);
      clearPageTimers();
      answers[status] = (answers[status] ?? 0) + 1;
      if (!["GET", "HEAD", "OPTIONS"].includes(request.method) && [200, 201, 202].includes(status)) written++;
      if (fault) complain(fault);
    }
    console.info(`fuzz: answers by status ${JSON.stringify(answers)}, ${written} changes taken`);
    // Otherwise the lists below would contain hardly anything of what was sent.
    expect(written / COUNT).toBeGreaterThan(0.1);

    const reader = await makeUser();
    const read = async (user: TestUser, path: string) => {
      const headers = { Cookie: `login=${user.loginToken}`, Accept: "text/html" };
      logged.length = 0;
      const status = await send(new Request(`${ORIGIN}${path}`, { headers }), false).catch(String);
      clearPageTimers();
      if (status !== 200)
        complain(`afterwards ${path} as ${user.username}: ${status} ${logged.join("\n").slice(0, 1500)}`);
    };
    const open = await openPaths(Math.ceil(COUNT / 100));
    for (const path of [...open, ...EXPORTS]) await read(reader, path);
    // Their own pages show what they sent.
    const own = open.filter((path) => /^\/(api\/)?(my\/|me\b|account)/.test(path));
    for (const user of senders) {
      await newLogin(user, user.loginToken);
      for (const path of [...own, ...EXPORTS]) await read(user, path);
    }
    console.info(
      `fuzz: ${open.length + EXPORTS.length} paths read by another person, ${own.length + EXPORTS.length} by each of ${senders.length} senders`,
    );
    expect(faults).toEqual([]);
  },
  60_000 + COUNT * 1000,
);
