// Reporting chat lines, posts, items, persons, sessions and huts (Q-07 to Q-09), by call and by form.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { runBatch } from "#db/connect.server";
import { eraseAccount } from "#db/queries/accounts/deletion";
import { callAs } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import { appOf, db, makeUser, makeUsers, NOW, type TestUser } from "#tests/support/factories";
import { makeItem } from "#tests/support/items";
import { actorOf, makeSession, partsOf, runningRoom } from "#tests/support/rooms";
import { join, makeSession as makeCoded, makeHut, makePost } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { fileReport } from "./reports.server";

const send = (user: TestUser, body: object) =>
  callAs(user, "POST", "/api/reports", { reason: "spam", ...body });
const rows = async (user: TestUser) =>
  (await env.DB.prepare("SELECT * FROM reports WHERE reporter_id = ? ORDER BY kind").bind(user.id).all())
    .results;

keepBystanders();

test("Q-07 Q-09 each kind of target is reported with its text, author and link, which later edits do not change", async () => {
  const [author, reporter] = await makeUsers(2);
  const { id, room } = await runningRoom([author, reporter], partsOf(600), 600);
  const said = await room.change({ type: "say", by: actorOf(author), content: "A rude line", nonce: "n" });
  const seq = said.messages.at(-1)?.seq ?? 0;
  const hut = await makeHut(author, [author]);
  const postId = await makePost(author, { sessionId: id }, "A rude post");
  const hutPost = await makePost(author, { hutId: hut.id }, "A rude post in the hut");
  const item = await makeItem(author, { title: "Ropes", content: "Knots" });
  const targets = [
    [{ kind: "message", id: `${id}:${seq}` }, "A rude line", `/sessions/${id}/chat`],
    [{ kind: "post", id: postId }, "A rude post", `/sessions/${id}/hut`],
    [{ kind: "post", id: hutPost }, "A rude post in the hut", `/group/${hut.slug}/forum`],
    [{ kind: "item", id: item.id }, "Ropes\n\nKnots", `/${author.username}/${item.slug}`],
    [{ kind: "person", id: author.username }, "", `/${author.username}`],
    [{ kind: "session", id }, "A session", `/sessions/${id}`],
    [{ kind: "hut", id: hut.id }, hut.title, `/group/${hut.slug}`],
  ] as const;
  for (const [target, kept, path] of targets) {
    const { status, body } = await send(reporter, {
      ...target,
      reason: "private_data",
      text: " Please look ",
    });
    expect([target, status]).toEqual([target, 201]);
    expect(body.report).toMatchObject({ kind: target.kind, reason: "private_data", text: "Please look" });
    expect(JSON.stringify(body)).not.toContain("author");
    const row = (await rows(reporter)).find(
      (one) => one.kind === target.kind && one.target_id === String(target.id),
    );
    expect(row).toMatchObject({ author_id: author.id, author_name: author.username, path });
    expect(row?.kept).toContain(kept);
  }
  await callAs(author, "DELETE", `/api/sessions/${id}/messages/${seq}`);
  await callAs(author, "DELETE", `/api/posts/${postId}`);
  const kept = (await rows(reporter)).map((row) => row.kept);
  expect(kept).toEqual(expect.arrayContaining(["A rude line", "A rude post"]));
});

test("Q-07 a hut is reported by its id or its slug", async () => {
  const [author, reporter] = await makeUsers(2);
  const hut = await makeHut(author, [author]);
  const report = (id: string | number) => send(reporter, { kind: "hut", id, reason: "spam", text: "" });
  expect([(await report(hut.id)).status, (await report(hut.slug)).status]).toEqual([201, 200]);
  expect(await rows(reporter)).toMatchObject([{ kind: "hut", target_id: String(hut.id) }]);
});

test("Q-07 the page of a hut whose slug is a number reports that hut, not the hut with this id", async () => {
  const [owner, reporter] = await makeUsers(2);
  const other = await makeHut(owner, [owner]);
  const slug = String(other.id);
  const hut = await makeHut(owner, [owner]);
  await env.DB.prepare("UPDATE huts SET slug = ? WHERE id = ?").bind(slug, hut.id).run();
  const [, link = ""] =
    /href="(\/account\/report\/hut\/[^"]+)"/.exec((await visit(reporter, `/group/${slug}`)).html) ?? [];
  const form = await visit(reporter, link);
  const fields = Object.fromEntries(
    [...form.html.matchAll(/<input type="hidden" name="(kind|id)" value="([^"]*)"/g)].map(
      ([, name, value]) => [name, value],
    ),
  );
  expect((await post(reporter, link, { intent: "report", ...fields, reason: "spam" })).status).toBe(200);
  expect(await rows(reporter)).toMatchObject([{ target_id: String(hut.id), path: `/group/${slug}` }]);
});

test("Q-08 a second report of the same target by the same user updates it and answers 200", async () => {
  const [author, reporter] = await makeUsers(2);
  const target = { kind: "person", id: author.username };
  expect((await send(reporter, { ...target, text: "First" })).status).toBe(201);
  const again = await send(reporter, { ...target, reason: "harassment", text: "Second" });
  expect([again.status, again.body.report.text]).toEqual([200, "Second"]);
  expect(await rows(reporter)).toMatchObject([{ reason: "harassment", text: "Second", kept: "" }]);
  expect((await send(await makeUser(), target)).status).toBe(201);
});

test("Q-08 unknown and hidden targets are NOT_FOUND", async () => {
  const [author, reporter] = await makeUsers(2);
  const draft = await makeItem(author, { status: 0 });
  const coded = await makeSession([author], { now: NOW });
  await env.DB.prepare("UPDATE sessions SET join_code = 'sesame' WHERE id = ?").bind(coded.id).run();
  const inside = await makePost(author, { sessionId: coded.id }, "Inside");
  const { id, room } = await runningRoom([author], partsOf(600), 600);
  const said = await room.change({ type: "say", by: actorOf(author), content: "Among us", nonce: "n" });
  const hut = await makeHut(author, [author]);
  const removed = await makePost(author, { hutId: hut.id }, "Soon gone");
  await callAs(author, "DELETE", `/api/posts/${removed}`);
  const blocked = await makePost(author, { hutId: hut.id }, "Of a blocked author");
  const third = await makeUser();
  await callAs(third, "PUT", `/api/blocks/${author.username}`);
  for (const [by, target] of [
    [reporter, { kind: "item", id: draft.id }],
    [reporter, { kind: "post", id: inside }],
    [reporter, { kind: "post", id: removed }],
    [third, { kind: "post", id: blocked }],
    [reporter, { kind: "message", id: `${id}:${said.messages.at(-1)?.seq}` }],
    [reporter, { kind: "message", id: "no line" }],
    [reporter, { kind: "person", id: "nobody-at-all" }],
    [reporter, { kind: "hut", id: "no-such-hut" }],
    [reporter, { kind: "session", id: 999_999_999 }],
    [reporter, { kind: "item", id: "x" }],
  ] as const) {
    const { status, body } = await send(by, target);
    expect([target, status, body.error_code]).toEqual([target, 404, "NOT_FOUND"]);
  }
  expect(await rows(reporter)).toEqual([]);
});

test("Q-07 a report needs a known kind and reason, a text of up to 1,000 characters, and another person", async () => {
  const [author, reporter] = await makeUsers(2);
  const target = { kind: "person", id: author.username };
  for (const bad of [
    { kind: "rumour" },
    { reason: "dull" },
    { reason: undefined },
    { text: "x".repeat(1001) },
  ])
    expect((await send(reporter, { ...target, ...bad })).body.error_code).toBe("INVALID");
  expect((await send(reporter, { ...target, text: "x".repeat(1000) })).status).toBe(201);
  expect((await send(author, target)).body.message).toBe("You cannot report yourself or anything of yours.");
});

test("Q-08 20 reports an hour are allowed", async () => {
  const [author, reporter] = await makeUsers(2);
  const app = await appOf(reporter);
  const counts = new Map<string, number>();
  const limited = {
    ...app,
    attempts: {
      ...app.attempts,
      take: async (key: string, limit: number, seconds: number) => {
        counts.set(`${key} ${limit} ${seconds}`, (counts.get(`${key} ${limit} ${seconds}`) ?? 0) + 1);
      },
    },
  };
  await fileReport(limited, { kind: "person", id: author.username, reason: "spam" });
  expect([...counts]).toEqual([[`report:${reporter.id} 20 3600`, 1]]);
});

test("Q-07 Q-09 the form works without JavaScript, and shows thanks", async () => {
  const [author, reporter] = await makeUsers(2);
  const profile = await visit(reporter, `/${author.username}`);
  const path = `/account/report/person/${author.username}`;
  expect(profile.html).toContain(path);
  expect((await visit(author, `/${author.username}`)).html).not.toContain("/account/report");
  const form = await visit(reporter, path);
  expect(form.html).toContain(`Report ${author.username}`);
  const fields = { intent: "report" };
  const unchosen = await post(reporter, path, fields);
  expect([unchosen.status, unchosen.html.includes("Please choose a reason.")]).toEqual([422, true]);
  const sent = await post(reporter, path, { ...fields, reason: "danger", text: "Be quick" });
  expect([sent.status, sent.html.includes("Thank you. We will look at this.")]).toEqual([200, true]);
  expect(await rows(reporter)).toMatchObject([{ reason: "danger", text: "Be quick" }]);
  expect((await visit(null, path)).status).toBe(302);
});

test("Q-09 a deleted account leaves neither its reports nor its words in reports of others", async () => {
  const [author, reporter] = await makeUsers(2);
  const item = await makeItem(author);
  await send(reporter, { kind: "item", id: item.id });
  await send(author, { kind: "person", id: reporter.username });
  await runBatch(db, eraseAccount(db, author.id, NOW));
  expect(await rows(author)).toEqual([]);
  expect(await rows(reporter)).toMatchObject([{ kept: "", author_name: `deleted.${author.id}` }]);
});

test("Q-09 Q-45 the report page hides the maker of a session with a code from outsiders, and the report knows the name", async () => {
  const [maker, host, outsider] = await makeUsers(3);
  const made = await makeCoded(maker, { join_code: "sesame" });
  await join(host, made.id, "sesame");
  const path = `/challenge-events/${made.id}/participants/${host.username}`;
  expect((await callAs(maker, "PATCH", path, { host: 1 })).status).toBe(200);
  const page = await visit(outsider, `/account/report/session/${made.id}`);
  expect([page.status, page.html.includes(maker.username)]).toEqual([200, false]);
  expect((await visit(host, `/account/report/session/${made.id}`)).html).toContain(maker.username);
  const sent = await send(outsider, { kind: "session", id: String(made.id) });
  expect([sent.status, JSON.stringify(sent.body).includes(maker.username)]).toEqual([201, false]);
  expect(await rows(outsider)).toMatchObject([{ author_name: maker.username }]);
});
