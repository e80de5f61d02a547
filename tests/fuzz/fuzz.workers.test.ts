// Malformed requests to every call, form and page, with limits on and off. Afterwards another person reads every
// list.
import { expect, inject, test } from "vitest";
import { ORIGIN } from "../support/ask";
import { makeUser, newLogin, type TestUser } from "../support/factories";
import { propertySeed } from "../support/property-seed";
import { drawFrom } from "./drawn";
import { drawAim, drawBase, malformed, NAMES } from "./malformed";
import { EXPORTS, openPaths } from "./readings";
import { collectPageTimers, faultOf, hearErrors, newCast, REQUESTS_PER_CAST, send } from "./sending";

const COUNT = inject("fuzzRequests");

test("X-02 the fuzz knows the fields of the schemas", () => {
  expect(NAMES).toEqual(expect.arrayContaining(["title", "started_at", "startMode", "isReady", "goal_id"]));
  expect(NAMES.length).toBeGreaterThan(150);
});

test(
  `X-01 X-02 ${COUNT} malformed requests cause no 5xx and break no list and no export`,
  async () => {
    console.info(`fuzz: ${COUNT} requests, PROPERTY_SEED=${propertySeed}`);
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
    // A drawn seed may send few that are taken, and then sends more.
    for (let n = 0; n < COUNT || (written <= COUNT / 10 && n < 2 * COUNT); n++) {
      const draw = drawFrom(propertySeed + n * 7919);
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
      const status = await send(new Request(`${ORIGIN}${path}`, { headers }), false).then(
        (answer) => answer.status,
        String,
      );
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
