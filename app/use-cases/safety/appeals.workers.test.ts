// Appeals against decisions, and what a granted one lifts.
import { expect, test } from "vitest";
import { keepBystanders } from "#tests/support/bystanders";
import { decide, grant, linkIn, mailOf, send, warden } from "#tests/support/decisions";
import { makeUser, makeUsers, signInAgain } from "#tests/support/factories";
import { post, visit } from "#tests/support/visit";

keepBystanders();

test("Q-18 Q-31 a suspended person who is signed in appeals by the link of the email", async () => {
  const [author, reporter, root] = [...(await makeUsers(2)), await warden()];
  await send(reporter, "person", author.username);
  await decide(root, "person", author.username, "suspend");
  const back = await signInAgain(author);
  const link = linkIn((await mailOf(author))[0]?.text);
  expect((await visit(back, "/my/notices")).location).toBe("/account/suspended");
  expect((await visit(back, link)).html).toContain("Why should the decision change?");
  const fields = { intent: "appeal", token: link.split("=")[1] ?? "", text: "It was a quotation" };
  expect((await post(back, link, fields)).status).toBe(200);
  expect((await visit(root, "/admin/reports")).html).toContain("It was a quotation");
});

test("Q-05 Q-31 the page of a suspended person with an unconfirmed address leads to the appeal", async () => {
  const author = await makeUser({ isConfirmed: false });
  const [reporter, other, root] = [...(await makeUsers(2)), await warden()];
  await send(reporter, "person", author.username);
  await decide(root, "person", author.username, "suspend");
  await post(root, `/admin/users/${other.username}`, { intent: "suspend", days: "7", reason: "Spam" });
  const [back, otherBack] = [await signInAgain(author), await signInAgain(other)];
  const linkOf = async (user: typeof back) =>
    (await (await visit(user, "/account/suspended")).links())["appeal against the decision"];
  const path = (await linkOf(back)) ?? "";
  // Nobody reported the other person, so there is no decision.
  expect(await linkOf(otherBack)).toBeUndefined();
  expect((await visit(otherBack, path)).html).toContain("This link has expired.");
  const decision = path.split("=")[1] ?? "";
  expect((await post(back, path, { intent: "appeal", token: "", decision, text: "Please" })).status).toBe(
    200,
  );
  expect(await linkOf(back)).toBeUndefined();
  await grant(root, author);
  expect((await visit(back, "/my/notices")).status).toBe(200);
  expect((await visit(otherBack, "/my/notices")).status).toBe(302);
});
