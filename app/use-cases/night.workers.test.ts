// The nightly jobs by hand: the press of a super admin, and the minute cron that answers it.
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { schema } from "#db/connect.server";
import { appOf, db, errorCodeOf, makeUser, NOW, testApp } from "#tests/support/factories";
import { runCron } from "#workers/cron";
import { requestNightlyJobs } from "./night.server";

beforeEach(() => void vi.spyOn(console, "log").mockImplementation(() => {}));

const jobsOf = async (cron: string): Promise<string[]> => {
  const lines = await runCron(
    { cron, scheduledTime: NOW },
    { ...env, JOBS: undefined } as never,
    createExecutionContext(),
  );
  return lines.map(({ job }) => job);
};

test("Q-29 the nightly jobs run once within a minute of a super admin's press, which the audit names", async () => {
  const [admin, ann] = [await makeUser({ roleId: 10 }), await makeUser()];
  expect(await errorCodeOf(requestNightlyJobs(await appOf(ann)))).toBe("FORBIDDEN");
  expect(await errorCodeOf(requestNightlyJobs(await testApp()))).toBe("UNAUTHENTICATED");
  const minute = await jobsOf("* * * * *");
  const night = await jobsOf("17 3 * * *");
  expect(night).toContain("delete-accounts");

  await requestNightlyJobs(await appOf(admin, NOW));
  expect(await jobsOf("*/5 * * * *")).not.toContain("delete-accounts");
  expect(await jobsOf("* * * * *")).toEqual([...minute, ...night]);
  expect(await jobsOf("* * * * *")).toEqual(minute);
  const acts = await db.select().from(schema.audit);
  expect(acts).toMatchObject([{ action: "jobs-run", actorId: admin.id, targetKind: "site", targetId: "0" }]);
});
