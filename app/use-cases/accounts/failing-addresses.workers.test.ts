// Addresses that refuse mail for good: their refusals count on the account until the address changes (N-35).
import { beforeEach, expect, test } from "vitest";
import { runBatch } from "#db/connect.server";
import { recordAccountChange } from "#db/queries/accounts/change-emails";
import { PASSWORD, registered } from "#tests/support/accounts";
import { appOf, db, makeUser, NOW, userNow } from "#tests/support/factories";
import { deliveryRows, drain, emptySpine, spineApp } from "#tests/support/notices";
import { visit } from "#tests/support/visit";
import { DAY, instant } from "~/domain/time";
import type { App } from "~/use-cases/app.server";
import { MailFailure } from "~/use-cases/ports.server";
import { deleteExpiredRows } from "~/use-cases/upkeep.server";
import { accountChangeCause } from "./change-emails.server";
import { updateProfile } from "./profile.server";

beforeEach(emptySpine);

const REFUSING = { send: () => Promise.reject(new MailFailure("address", "SMTP: Invalid RCPT TO 550")) };
const refusalsOf = async (id: number) => {
  const row = await userNow(id);
  return { count: row?.mailFailures, since: row?.mailFailingAt };
};
const record = (app: App, userId: number) =>
  runBatch(db, [recordAccountChange(db, accountChangeCause(app, "sign-in", "A passkey was added."), userId)]);
async function refuse(userId: number, now = NOW) {
  const { app } = await spineApp(now);
  await record(app, userId);
  await drain({ ...app, mail: REFUSING });
}

test("N-35 two refusals weeks apart stop the mail, although failed rows are deleted after a week", async () => {
  const user = await makeUser();
  for (const week of [1, 3]) {
    expect(await refusalsOf(user.id)).toMatchObject({ since: null });
    const now = instant(NOW + week * 7 * DAY);
    await refuse(user.id, now);
    const { app } = await spineApp(instant(now + 8 * DAY));
    await deleteExpiredRows(app);
    expect(await deliveryRows()).toEqual([]);
  }
  expect(await refusalsOf(user.id)).toEqual({ count: 2, since: instant(NOW + 21 * DAY) });
  expect((await visit(user, "/account")).html).toContain("We could not reach");
});

test("N-35 a new address begins without refusals, and those of mail to the address before do not count", async () => {
  const { input, answer, user } = await registered();
  const { id } = answer.body.user;
  await refuse(id);
  expect(await refusalsOf(id)).toMatchObject({ count: 1 });
  const { app: spine } = await spineApp(instant(NOW + DAY));
  await record(spine, id);
  const app = await appOf(user);
  await updateProfile(app, { email: `moved-${input.email}`, currentPassword: PASSWORD });
  expect(await refusalsOf(id)).toEqual({ count: 0, since: null });
  await drain({ ...spine, mail: REFUSING });
  expect(await deliveryRows()).toMatchObject([{ state: "failed" }, { state: "failed" }]);
  expect(await refusalsOf(id)).toEqual({ count: 0, since: null });
});
