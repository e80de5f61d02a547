// The calls of the OpenAPI document with inputs that it allows, and with hostile ones: the answers are documented.
import { expect, test } from "vitest";
import { KEY_SCOPES } from "~/domain/accounts/api-keys";
import { instant } from "~/domain/time";
import { createKey } from "~/use-cases/accounts/api-keys.server";
import type { Actor } from "../roles/cast";
import { appOf } from "../support/factories";
import { propertySeed, runsOf } from "../support/property-seed";
import { codesOf, DOCUMENTED_ROWS, drawDocumented } from "./documented";
import { drawFrom } from "./drawn";
import { drawAim } from "./malformed";
import { collectPageTimers, faultOf, hearErrors, newCast, REQUESTS_PER_CAST } from "./sending";

const COUNT = runsOf(10_000, 70);

const keyOf = async ({ user }: Actor): Promise<string | undefined> =>
  user
    ? (
        await createKey(await appOf(user, instant(Date.now())), {
          name: "Fuzz",
          scopes: KEY_SCOPES,
          days: 365,
        })
      ).key
    : undefined;

/** The difference between an answer and the document, or null. The server checks answers that succeed (O-12). */
function undocumented(name: string, status: number, text: string): string | null {
  const codes = codesOf(name, status);
  if (codes === null) return `${status} is not documented: ${text.slice(0, 200)}`;
  if (status < 400) return null;
  const { error_code: code = "none" } = text.startsWith("{") ? JSON.parse(text) : {};
  return codes.includes(code) ? null : `${status} ${code} is not documented: ${text.slice(0, 200)}`;
}

async function faultsOf(isHostile: boolean): Promise<{ faults: string[]; answers: Record<string, number> }> {
  const logged = hearErrors();
  const clearPageTimers = collectPageTimers();
  const faults: string[] = [];
  const answers: Record<string, number> = {};
  let world = await newCast();
  let keys = await Promise.all(world.actors.map(keyOf));
  for (let n = 0; n < COUNT; n++) {
    // Another draw than that of the malformed requests.
    const draw = drawFrom(propertySeed + n * 7919 + (isHostile ? 2 : 1));
    if (n > 0 && n % REQUESTS_PER_CAST === 0) {
      world = await newCast();
      keys = await Promise.all(world.actors.map(keyOf));
    }
    await world.signInAgain();
    const row = draw.one(DOCUMENTED_ROWS);
    const base = { kind: "call", row } as const;
    const [actor, target] = drawAim(draw, base, world.actors);
    const thing = await world.take(base, target, actor, draw);
    const key = keys[world.actors.indexOf(actor)];
    const { request, said } = drawDocumented(draw, row, { thing, actor, key, isHostile });
    const { status, text, fault } = await faultOf(`#${n} ${said}`, request, false, logged);
    clearPageTimers();
    answers[status] = (answers[status] ?? 0) + 1;
    const found = fault ?? undocumented(row.name, status, text);
    if (found === null) continue;
    // Printed at once, because an interrupted run never reaches the assertion.
    const line = fault ?? `#${n} ${said}: ${found}`;
    console.info(`documented: ${line}`);
    faults.push(line);
  }
  console.info(`documented: PROPERTY_SEED=${propertySeed}, answers by status ${JSON.stringify(answers)}`);
  return { faults, answers };
}

test(
  `O-10 O-12 ${COUNT} inputs that the document allows get answers that it names, and no 5xx`,
  async () => {
    const { faults, answers } = await faultsOf(false);
    expect(faults).toEqual([]);
    const done = Object.entries(answers).reduce((sum, [status, n]) => sum + (status < "300" ? n : 0), 0);
    expect(done / COUNT).toBeGreaterThan(0.4);
  },
  COUNT * 500 + 60_000,
);

test(
  `O-10 X-02 ${COUNT} hostile inputs get answers that the document names`,
  async () => {
    expect((await faultsOf(true)).faults).toEqual([]);
  },
  COUNT * 500 + 60_000,
);
