// A server crash during a session: everything acknowledged survives, and browsers reconnect without a reload.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate, serve } from "../../workers/local/tools.mjs";
import { call, expect, test } from "./fixtures";
import { say, twoInSession } from "./sessions";

const port = Number(process.env.JOURNEY_PORT ?? 8790) + 1 + Number(process.env.TEST_PARALLEL_INDEX ?? 0);

test("L-06 L-04 after kill -9 during a session and a restart, chat, roster, ready marks and timers are as acknowledged", async ({
  browser,
}) => {
  const dataDir = mkdtempSync(join(tmpdir(), "bothy-crash-"));
  const start = () => serve({ port, dataDir, vars: { RATE_LIMITS: "off" }, quiet: true });
  await migrate(dataDir);
  let server = await start();
  try {
    const { host, guest, session } = await twoInSession(
      browser,
      { baseURL: server.url, dataDir },
      "Still here?",
    );
    // Ready marks exist only before the start, so a second session awaits it.
    const waits = (await (
      await call(host, "POST", "/challenge-events", {
        challenge: { title: "Before the storm", duration: 3600, is_manually_started: 1 },
      })
    ).json()) as { challenge_event: { id: number; slug: string } };
    expect(
      (await call(host, "POST", `/challenges/${waits.challenge_event.slug}/user-is-ready`, {})).ok(),
    ).toBe(true);
    const marks = async () =>
      (
        (await (await call(host, "GET", `/api/sessions/${waits.challenge_event.id}`)).json()) as {
          serverData: { session: { participants: { is_ready: 0 | 1 }[] } };
        }
      ).serverData.session.participants.map((person) => person.is_ready);
    expect(await marks()).toEqual([1]);
    const view = async () =>
      (
        (await (await call(host, "GET", `/api/sessions/${session.id}`)).json()) as {
          serverData: { session: { started_at: string; ended_at: string } };
        }
      ).serverData.session;
    const before = await view();

    await server.kill();
    server = await start();

    const after = await view();
    expect([after.started_at, after.ended_at]).toEqual([before.started_at, before.ended_at]);
    // Nobody reloads: the sockets reconnect.
    await say(host, "Here again.");
    await expect(guest.getByText("Here again.").first()).toBeVisible({ timeout: 45_000 });
    await expect(guest.getByText("Still here?").first()).toBeVisible();
    await guest.reload();
    for (const text of ["Still here?", "Here again."])
      await expect(guest.getByText(text).first()).toBeVisible();
    expect(await marks()).toEqual([1]);
  } finally {
    await server.stop();
  }
});
