// Requests to enter a private hut: answers that come too late.
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { schema } from "#db/connect.server";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { join, makeSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";

async function askedHut(owner: TestUser, people: TestUser[]) {
  const made = await callAs(owner, "POST", "/groups/store", { hut: { title: "Hidden", is_private: 1 } });
  const { id, slug } = made.body.hut as { id: number; slug: string };
  for (const user of people) await post(user, "/groups/invite", { intent: "request", slug });
  const answer = (username: string, intent: string) =>
    post(owner, `/group/${slug}/members`, { intent, username });
  const requests = async () =>
    (await db.select().from(schema.hutRequests).where(eq(schema.hutRequests.hutId, id))).map(
      ({ userId }) => userId,
    );
  const sees = async (user: TestUser) => (await visit(user, `/group/${slug}`)).status;
  const change = async (over: object) =>
    expect((await callAs(owner, "PATCH", `/groups/${slug}/patch`, { hut: over })).status).toBe(200);
  return { answer, requests, sees, change, slug, id };
}

keepBystanders();

test("Q-28 accepting the request of a suspended person is refused, and the request waits for the end", async () => {
  const [root, owner, one, two] = [await makeUser({ roleId: 10 }), ...(await makeUsers(3))];
  const { answer, requests, sees } = await askedHut(owner, [one, two]);
  const account = `/admin/users/${one.username}`;
  await post(root, account, { intent: "suspend", days: "7", reason: "Spam" });
  const refused = await answer(one.username, "accept");
  expect(refused.html).toContain("This person cannot enter the hut at the moment.");
  expect(await requests()).toEqual([one.id, two.id]);
  expect((await answer(two.username, "accept")).status).toBe(302);
  expect([await requests(), await sees(two)]).toEqual([[one.id], 200]);
  await post(root, account, { intent: "lift-suspension" });
  expect((await answer(one.username, "accept")).status).toBe(302);
  expect(await requests()).toEqual([]);
});

for (const admits of [false, true])
  test(`Q-28 R-87 a request ends when ${admits ? "the closing hut admits the person" : "the person joins the open hut"}`, async () => {
    const [owner, one, two] = await makeUsers(3);
    const { answer, requests, sees, change, slug, id } = await askedHut(owner, [one, two]);
    await change({ is_private: 0 });
    if (admits) await join(one, (await makeSession(owner, { hut_id: id })).id);
    else expect((await callAs(one, "POST", `/groups/${slug}/join`, {})).status).toBe(200);
    await change({ is_private: 1, admit_outsiders: 1 });
    expect([await requests(), await sees(one)]).toEqual([[two.id], 200]);
    await callAs(one, "DELETE", `/groups/${slug}/leave`);
    await answer(one.username, "accept");
    expect(await sees(one)).toBe(404);
    expect((await answer(two.username, "accept")).status).toBe(302);
    expect([await requests(), await sees(two)]).toEqual([[], 200]);
  });
