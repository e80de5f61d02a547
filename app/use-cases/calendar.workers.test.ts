// The calendar version of a session under random sequences of changes.
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { callAs } from "#tests/support/ask";
import { appOf } from "#tests/support/factories";
import { runsOf } from "#tests/support/property-seed";
import { sessionNow, stageSession } from "#tests/support/sessions";
import { HOUR, MINUTE } from "~/domain/time";

type Stage = Awaited<ReturnType<typeof stageSession>>;
type Act = (stage: Stage, n: number) => Promise<{ status: number }>;

const patch =
  (change: (n: number) => object): Act =>
  ({ host, session }, n) =>
    callAs(host, "PATCH", `/challenge-events/${session.id}/patch`, { challenge: change(n) });
const control =
  (part: string, action: string, body: object = {}): Act =>
  ({ host, event }) =>
    event(host, `/parts/${part}/${action}`, body);

const BEFORE: Record<string, Act> = {
  title: patch((n) => ({ title: `Title ${n % 3}` })),
  start: patch((n) => ({ started_at: new Date(Date.now() + HOUR + (n % 4) * MINUTE).toISOString() })),
  limit: patch((n) => ({ participant_limit: 5 + n })),
  code: patch((n) => ({ donation_link: `https://give.example/${n}` })),
  content: ({ host, challenge }, n) =>
    challenge(host, "PUT", "/save-content", { content: `Text ${n}`, title: `Title ${n % 3}` }),
  role: ({ host, guest, session }, n) =>
    callAs(host, "PATCH", `/challenge-events/${session.id}/participants/${guest.username}`, { role: n % 2 }),
};
const DURING: Record<string, Act> = {
  play: control("a", "start"),
  pause: control("a", "pause"),
  resume: control("a", "resume"),
  longer: control("a", "adjust", { seconds: 4000 }),
  text: ({ host, challenge }, n) => challenge(host, "PUT", "/save-content", { content: `Text ${n}` }),
  title: ({ host, challenge }, n) => challenge(host, "PUT", "/save-content", { title: `Title ${n % 3}` }),
  ready: ({ guest, challenge }, n) => challenge(guest, "POST", "/user-is-ready", { is_ready: n % 2 }),
  done: ({ guest, event }) => event(guest, "/complete"),
};

type Shown = { title: string; startedAt: number | null; endedAt: number | null };
const shownOf = ({ title, startedAt, endedAt }: Shown) => [title, startedAt, endedAt];

/** The record, once it has what the room knows. */
async function settled({ host, session }: Stage) {
  const room = (await appOf(host)).rooms.of(session.id);
  return vi.waitFor(async () => {
    const [row, { state }] = [await sessionNow(session.id), await room.view()];
    if (!row) throw new Error("no session");
    if (state.runBegunAt !== null) expect(shownOf(row)).toEqual(shownOf(state));
    return row;
  });
}

/** Does an act, and checks that the sequence grew by one exactly if a calendar shows the difference. */
async function check(stage: Stage, name: string, act: Act, n: number): Promise<boolean> {
  const before = await settled(stage);
  await act(stage, n);
  const after = await settled(stage);
  const isShown = JSON.stringify(shownOf(before)) !== JSON.stringify(shownOf(after));
  expect(after.sequence - before.sequence, name).toBe(isShown ? 1 : 0);
  if (!isShown) expect(after.changedAt, name).toBe(before.changedAt);
  return isShown;
}

const acts = (of: Record<string, Act>) =>
  fc.array(fc.tuple(fc.constantFrom(...Object.keys(of)), fc.nat(20)), { minLength: 4, maxLength: 8 });

test("F-08 the sequence grows by one with each change of start, end, title or cancellation, and with nothing else", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(acts(BEFORE), acts(DURING), fc.boolean(), async (before, during, isCancelled) => {
      const started_at = new Date(Date.now() + HOUR).toISOString();
      const stage = await stageSession({ started_at, is_manually_started: 0 });
      const run = async (name: string, act: Act | undefined, n: number) => {
        if (act && (await check(stage, name, act, n))) seen.add(name);
      };
      for (const [name, n] of before) await run(name, BEFORE[name], n);
      const { host, event } = stage;
      if (!isCancelled) {
        await run("begin", () => event(host, "/start"), 0);
        for (const [name, n] of during) await run(name, DURING[name], n);
      }
      await run(isCancelled ? "cancel" : "end", () => event(host, "/end"), 0);
    }),
    {
      numRuns: runsOf(200, 4),
      examples: [
        [
          [
            ["title", 1],
            ["start", 2],
          ],
          [
            ["play", 0],
            ["longer", 0],
            ["title", 2],
          ],
          false,
        ],
        [[["limit", 1]], [["ready", 1]], true],
      ],
    },
  );
  for (const name of ["title", "start", "longer", "begin", "cancel", "end"]) expect(seen).toContain(name);
  for (const name of ["limit", "code", "role", "text", "ready", "done"]) expect(seen).not.toContain(name);
}, 600_000);
