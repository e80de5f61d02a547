// The queue of reports, decisions and appeals.
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { connect, schema } from "#db/connect.server";
import { callAs, dataOf } from "#tests/support/ask";
import { keepBystanders } from "#tests/support/bystanders";
import {
  actsOn,
  appeal,
  decide,
  file,
  grant,
  hutPost,
  linkIn,
  mailOf,
  openOf,
  rudeLine,
  send,
  warden,
} from "#tests/support/decisions";
import { appOf, db, makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { failingD1 } from "#tests/support/failing-d1";
import { makeItem } from "#tests/support/items";
import { drain, emptySpine, noticeRows, spineApp } from "#tests/support/notices";
import { joinRoom } from "#tests/support/rooms";
import { makeHut, makePost, makeSession, sayIn } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { writeNotice } from "~/domain/notices/texts";
import { DAY, instant, SECOND } from "~/domain/time";
import { decideReport } from "./decisions.server";

keepBystanders();

test("Q-30 the queue shows open reports grouped by target, with the kept text, the reasons and earlier decisions", async () => {
  const [author, first, second, root] = [...(await makeUsers(3)), await warden()];
  const [one, two] = [await hutPost(author, "Rude words"), await hutPost(author, "More rude words")];
  await send(first, "post", one, "It is about me");
  await decide(root, "post", one, "remove", "Insults are not welcome");
  await send(first, "post", two);
  await send(second, "post", two, "Me too");
  const { html } = await visit(root, "/admin/reports");
  for (const shown of [
    "More rude words",
    "Me too",
    first.username,
    second.username,
    "Insults are not welcome",
  ])
    expect(html).toContain(shown);
  expect(html).toContain("We removed a post of yours.");
  expect(html).not.toContain("The appeal was granted.");
  expect(html.match(/>More rude words</g)).toHaveLength(1);
  expect(html).not.toContain("It is about me");
  for (const stranger of [author, first]) expect((await visit(stranger, "/admin/reports")).status).toBe(403);
});

test("Q-30 the queue shows the oldest report first", async () => {
  const [author, reporter, root] = [await makeUser(), await makeUser(), await warden()];
  for (const [words, at] of [
    ["Newer words", 2],
    ["Older words", 1],
  ] as const) {
    const id = await hutPost(author, words);
    await send(reporter, "post", id);
    await env.DB.prepare("UPDATE reports SET created_at = ? WHERE target_id = ?").bind(at, String(id)).run();
  }
  const { html } = await visit(root, "/admin/reports");
  expect(html.match(/>(Newer|Older) words</g)).toEqual([">Older words<", ">Newer words<"]);
});

test("Q-30 the queue shows what is in force against the author, the newest first, and nothing against others", async () => {
  const [author, other, reporter, root] = [...(await makeUsers(3)), await warden()];
  await send(reporter, "post", await hutPost(author, "Words"));
  const ban = { scope: "hut", kind: "ban", until: null } as const;
  await db.insert(schema.sanctions).values([
    { ...ban, userId: author.id, targetId: 901, reason: "The earlier ban", createdAt: instant(1) },
    { ...ban, userId: author.id, targetId: 902, reason: "The later ban", createdAt: instant(2) },
    { ...ban, userId: other.id, targetId: 901, reason: "A ban of another", createdAt: instant(3) },
  ]);
  const { html } = await visit(root, "/admin/reports");
  expect(html.indexOf("The later ban")).toBeLessThan(html.indexOf("The earlier ban"));
  expect(html).toContain("The later ban");
  expect(html).not.toContain("A ban of another");
});

test("Q-31 a decision needs a reason and a report that is open", async () => {
  const [author, reporter, root] = [await makeUser(), await makeUser(), await warden()];
  const id = await hutPost(author, "Words");
  expect((await decide(root, "post", id, "remove")).html).toContain("This was decided already.");
  await send(reporter, "post", id);
  expect((await decide(root, "post", id, "remove", " ")).html).toContain("Please give a reason.");
  await send(reporter, "person", author.username);
  expect((await decide(root, "person", author.username, "ban")).html).toContain("Please choose what to do.");
  expect((await decide(reporter, "post", id, "remove")).status).toBe(403);
  expect(await openOf(id)).toBe(1);
});

test("Q-30 dismissing closes all reports of a target with one audit row, and writes to nobody", async () => {
  const [author, first, second, root] = [...(await makeUsers(3)), await warden()];
  for (const reporter of [first, second]) await send(reporter, "person", author.username);
  expect((await decide(root, "person", author.username, "dismiss", "Nothing wrong")).status).toBe(302);
  expect(await openOf(author.username)).toBe(0);
  expect(await actsOn(author)).toEqual([
    { action: "report-dismissed", reason: "Nothing wrong", actor_id: root.id },
  ]);
  expect(await mailOf(author)).toEqual([]);
});

test.each([
  ["remove", "line-removed"],
  ["mute", "muted"],
  ["ban", "banned"],
])(
  "Q-30 Q-31 %s of a chat line acts, leaves one audit row with the reason, closes the report and writes to the author",
  async (act, action) => {
    const { author, reporter, id, line } = await rudeLine();
    const root = await warden();
    const listener = await joinRoom(reporter, id);
    expect((await decide(root, "message", line, act)).status).toBe(302);
    if (act === "remove") await listener.expect("removed");
    if (act === "ban") await listener.expect("participants", ({ left }) => left.includes(author.username));
    expect((await sayIn(author, id)).status).toBe(act === "remove" ? 201 : 403);
    expect(await actsOn(author)).toEqual([{ action, reason: "Insults", actor_id: root.id }]);
    expect(await openOf(line)).toBe(0);
    const [mail] = await mailOf(author);
    expect(mail?.text).toContain("Reason: Insults");
    expect(mail?.text).not.toContain(reporter.username);
    expect(linkIn(mail?.text)).not.toBe("");
  },
);

test("Q-30 a reported post, item, session and hut can be removed", async () => {
  const [author, reporter, root] = [await makeUser(), await makeUser(), await warden()];
  const postId = await hutPost(author, "Words");
  const hut = await makeHut(author, [author]);
  const item = await makeItem(author);
  const session = await makeSession(author);
  for (const [kind, id, action] of [
    ["post", postId, "post-removed"],
    ["item", item.id, "item-removed"],
    ["session", session.id, "session-removed"],
    ["hut", hut.id, "hut-deleted"],
  ] as const) {
    await send(reporter, kind, id);
    expect([kind, (await decide(root, kind, id, "remove")).status]).toEqual([kind, 302]);
    expect([kind, (await actsOn(author)).filter((one) => one.action === action).length]).toEqual([kind, 1]);
    expect((await send(reporter, kind, id)).status).toBe(404);
  }
  expect(await mailOf(author)).toHaveLength(4);
});

test("Q-05 Q-31 an unconfirmed address gets no email about a decision, and its author appeals by the notice", async () => {
  await emptySpine();
  const author = await makeUser({ isConfirmed: false });
  const [reporter, root] = [await makeUser(), await warden()];
  const id = await hutPost(author, "Words");
  await send(reporter, "post", id);
  await decide(root, "post", id, "remove");
  expect(await mailOf(author)).toEqual([]);
  await drain((await spineApp()).app);
  const [notice] = (await dataOf(author, "/api/my/notices")).notices;
  const page = await visit(author, notice.path);
  expect(page.html).toContain("Words");
  const decision = new URL(notice.path, "https://bothy.example").searchParams.get("decision") ?? "";
  const fields = { intent: "appeal", token: "", decision, text: "It was a quotation" };
  // The address opens nothing for anybody else, and only the author signs in to it.
  expect((await visit(reporter, notice.path)).html).toContain("This link has expired.");
  expect((await visit(null, notice.path)).status).toBe(302);
  expect((await post(reporter, notice.path, fields)).status).toBe(422);
  expect((await visit(root, "/admin/reports")).html).not.toContain("It was a quotation");
  expect((await post(author, notice.path, fields)).status).toBe(200);
  expect((await visit(root, "/admin/reports")).html).toContain("It was a quotation");
});

test("Q-31 one appeal of up to 2,000 characters is filed without signing in, and a granted one lifts the mute", async () => {
  const { author, id, line } = await rudeLine();
  const root = await warden();
  await decide(root, "message", line, "mute");
  const [mail] = await mailOf(author);
  const link = linkIn(mail?.text);
  const page = await visit(null, link);
  expect(page.html).toContain("A rude line");
  expect((await file(link, "x".repeat(2001))).status).toBe(422);
  expect((await file(link, "It was a joke")).status).toBe(200);
  expect((await file(link, "It was a joke")).status).toBe(200);
  expect((await file(link, "Another one")).status).toBe(422);
  const queue = await visit(root, "/admin/reports");
  expect(queue.html).toContain("It was a joke");
  expect((await grant(author, author)).status).toBe(403);
  expect((await grant(root, author)).status).toBe(302);
  expect((await grant(root, author)).html).toContain("This was decided already.");
  expect((await sayIn(author, id)).status).toBe(201);
  expect((await actsOn(author)).map(({ action }) => action)).toEqual([
    "muted",
    "mute-lifted",
    "appeal-granted",
  ]);
  const { app, mails } = await spineApp();
  await drain(app);
  const answers = [...(await mailOf(author)), ...mails].filter(({ text }) => text.includes("your appeal"));
  expect(answers.map(({ subject }) => subject)).toEqual(["Your Bothy appeal was granted"]);
  expect(answers[0]?.text).toContain("granted it. Reason: Agreed");
  const [answered] = (await noticeRows()).filter(({ kind }) => kind === "appeal-answered");
  expect(answered?.userId).toBe(author.id);
  expect(answered && writeNotice(answered, { timeZone: "UTC", locale: "en-GB" }).text).toContain(
    "Your appeal was granted.",
  );
  expect((await visit(null, link)).html).toContain("Your appeal was granted.");
  expect((await visit(root, "/admin/reports")).html).not.toContain("It was a joke");

  await send(await makeUser(), "post", await hutPost(author, "More words"));
  const earlier = (await visit(root, "/admin/reports")).html;
  expect(earlier).toContain("You are muted in a session until its end. The appeal was granted.");
});

test("Q-30 Q-31 a reported thing that is gone already is decided, and what is gone needs no lifting", async () => {
  const root = await warden();
  const [author, reporter] = [await makeUser(), await makeUser()];
  const gone = await hutPost(author, "Words");
  await send(reporter, "post", gone);
  await env.DB.prepare("DELETE FROM posts WHERE id = ?").bind(gone).run();
  expect((await decide(root, "post", gone, "remove")).status).toBe(302);
  expect(await openOf(gone)).toBe(0);

  const { author: muted, id, line } = await rudeLine();
  await decide(root, "message", line, "mute");
  await send(await makeUser(), "person", muted.username);
  expect((await visit(root, "/admin/reports")).html).toContain(`Muted: session ${id}.`);
  await appeal(muted);
  await env.DB.prepare("DELETE FROM sessions WHERE id = ?").bind(id).run();
  expect((await grant(root, muted)).status).toBe(302);

  await decide(root, "person", muted.username, "suspend");
  await send(await makeUser(), "person", muted.username);
  expect((await visit(root, "/admin/reports")).html).toContain("Kept out: site.");
});

test("Q-31 a granted appeal against a removal lifts nothing else", async () => {
  const root = await warden();
  const { author, host, id, line } = await rudeLine();
  const seat = `/challenge-events/${id}/participants/${author.username}`;
  expect((await callAs(host, "PATCH", seat, { mute: 300 })).status).toBe(200);
  await decide(root, "message", line, "remove");
  await appeal(author);
  const other = await rudeLine();
  await decide(root, "message", other.line, "remove");
  await grant(root, author);
  expect((await actsOn(author)).map(({ action }) => action)).toEqual([
    "muted",
    "line-removed",
    "appeal-granted",
  ]);
  expect((await sayIn(author, id)).status).toBe(403);
  const answered = env.DB.prepare(
    "SELECT user_id FROM decisions WHERE answered_at IS NOT NULL AND user_id IN (?, ?)",
  );
  expect((await answered.bind(author.id, other.author.id).all()).results).toEqual([{ user_id: author.id }]);
});

test("Q-31 an appeal is possible for 30 days, with only the link", async () => {
  const { author, line } = await rudeLine();
  const root = await warden();
  await decide(root, "message", line, "remove");
  const link = linkIn((await mailOf(author))[0]?.text);
  expect((await file("/account/appeal?token=nope")).status).toBe(422);
  await env.DB.prepare("UPDATE decisions SET decided_at = decided_at - ? WHERE user_id = ?")
    .bind(30 * DAY, author.id)
    .run();
  expect((await file(link)).status).toBe(422);
  expect((await visit(null, link)).html).toContain("This link has expired.");
});

test("Q-30 Q-31 suspending ends the logins, leaves one audit row, and a granted appeal lifts it", async () => {
  const author = await makeUser({ isConfirmed: false });
  const [reporter, root] = [await makeUser(), await warden()];
  await send(reporter, "person", author.username);
  expect((await decide(root, "person", author.username, "suspend")).status).toBe(302);
  expect((await callAs(author, "GET", "/get-user")).status).toBe(401);
  expect(await actsOn(author)).toEqual([{ action: "suspended", reason: "Insults", actor_id: root.id }]);
  const mails = await mailOf(author);
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toContain("All your logins were ended");
  expect((await appeal(author)).status).toBe(200);
  await grant(root, author);
  expect((await actsOn(author)).map(({ action }) => action)).toEqual([
    "suspended",
    "suspension-lifted",
    "appeal-granted",
  ]);
});

test("Q-30 an act, its decision and the closing of the reports all happen or none, wherever D1 fails", async () => {
  const root = await warden();
  let hasFailed = true;
  for (let at = 1; hasFailed; at++) {
    const [author, reporter] = [await makeUser(), await makeUser()];
    const id = await hutPost(author, "Words");
    await send(reporter, "post", id);
    const { d1, counter } = failingD1(env.DB, { at, when: "after" });
    const target = { kind: "post" as const, id: String(id) };
    const app = { ...(await appOf(root)), db: connect(d1) };
    await decideReport(app, { ...target, act: "remove", reason: "Insults" }).catch(() => {});
    hasFailed = counter.hasFailed;
    const removed = await env.DB.prepare("SELECT removed_at FROM posts WHERE id = ?")
      .bind(id)
      .first("removed_at");
    const decisions = await env.DB.prepare("SELECT count(*) AS n FROM decisions WHERE user_id = ?")
      .bind(author.id)
      .first("n");
    const state = [
      removed !== null,
      (await openOf(id)) === 0,
      decisions === 1,
      (await actsOn(author)).length === 1,
    ];
    expect(new Set(state).size, `${at}: ${state}`).toBe(1);
    if (!hasFailed) expect(state[0]).toBe(true);
  }
});

test("Q-16 Q-30 Q-31 the author of a hut's post is muted in or kept out of that hut, and an appeal lifts it", async () => {
  const root = await warden();
  for (const [act, action, lifted, sentence] of [
    ["mute", "muted", "mute-lifted", "You are muted in a hut."],
    ["ban", "banned", "ban-lifted", "A hut is closed to you."],
  ] as const) {
    const [author, owner, reporter] = await makeUsers(3);
    const id = await hutPost(author, "Words", owner);
    await send(reporter, "post", id);
    const { html } = await visit(root, "/admin/reports");
    for (const label of ["Mute in the hut", "Keep out of the hut"]) expect(html).toContain(label);
    expect((await decide(root, "post", id, act)).status).toBe(302);
    expect(await actsOn(author)).toEqual([{ action, reason: "Insults", actor_id: root.id }]);
    const [mail] = await mailOf(author);
    expect(mail?.text).toContain(sentence);
    await appeal(author);
    await grant(root, author);
    expect((await actsOn(author)).map((one) => one.action)).toEqual([action, lifted, "appeal-granted"]);
  }
  const owner = await makeUser();
  const own = await hutPost(owner, "Words");
  await send(await makeUser(), "post", own);
  expect((await decide(root, "post", own, "ban")).html).toContain(
    "The owner of a hut cannot be kept out of it.",
  );
  expect(await openOf(own)).toBe(1);
});

test("Q-09 Q-31 reporters hear of the outcome once, the author of the act with its reason, and nobody else", async () => {
  await emptySpine();
  const [author, first, second, root] = [...(await makeUsers(3)), await warden()];
  const textsOf = async (user: TestUser) =>
    (await dataOf(user, "/api/my/notices")).notices.map(({ text }: { text: string }) => text);
  const [kept, removed] = [await hutPost(author, "Fine words"), await hutPost(author, "Rude words")];
  for (const id of [kept, removed]) await send(first, "post", id);
  await send(second, "post", removed);
  await decide(root, "post", kept, "dismiss", "Nothing wrong");
  vi.setSystemTime(Date.now() + SECOND);
  for (let n = 0; n < 2; n++) await decide(root, "post", removed, "remove", "Insults.");
  const { app, mails } = await spineApp();
  await drain(app);
  expect(await textsOf(first)).toEqual([
    "Thank you. We removed the post that you reported.",
    "Thank you. We looked at the post that you reported and left it as it is.",
  ]);
  expect(await textsOf(second)).toEqual(["Thank you. We removed the post that you reported."]);
  expect(await textsOf(author)).toEqual([
    "We removed a post of yours. Reason: Insults. You can appeal here, once, within 30 days.",
  ]);
  expect(await textsOf(root)).toEqual([]);
  // The email with the secret link went out apart, and nothing doubles it (N-34).
  expect([mails, (await mailOf(author)).length, await mailOf(first)]).toEqual([[], 1, []]);
});

/** A hut whose slug the hut of another person takes after its deletion. */
async function replacedHut(
  actBefore: (hut: { id: number; slug: string }, owner: TestUser) => Promise<unknown>,
) {
  const [owner, nextOwner] = await makeUsers(2);
  const title = `Yoga ${crypto.randomUUID()}`;
  const make = async (by: TestUser) => {
    const { status, body } = await callAs(by, "POST", "/groups/store", { title, content: "A hut" });
    expect(status).toBe(201);
    return body.hut as { id: number; slug: string };
  };
  const hut = await make(owner);
  await actBefore(hut, owner);
  expect((await callAs(owner, "DELETE", `/groups/${hut.slug}`, { slug: hut.slug })).status).toBeLessThan(300);
  vi.setSystemTime(Date.now() + SECOND);
  const next = await make(nextOwner);
  expect(next.slug).toBe(hut.slug);
  return { hut, owner, next };
}
const isKept = (hut: { id: number }) =>
  env.DB.prepare("SELECT count(*) AS n FROM huts WHERE id = ?").bind(hut.id).first("n");
const sanctionsIn = async (hut: { id: number }) =>
  (
    await env.DB.prepare("SELECT kind, until FROM sanctions WHERE scope = 'hut' AND target_id = ?")
      .bind(hut.id)
      .all()
  ).results;

test.each(["by id", "by slug"])(
  "Q-30 removing a reported hut leaves the hut that has its slug since, with a report %s",
  async (form) => {
    const [reporter, root] = [await makeUser(), await warden()];
    const { hut, owner, next } = await replacedHut(async ({ id, slug }) => {
      expect((await send(reporter, "hut", id)).status).toBe(201);
      // As reports were stored before 0.2.0.
      if (form === "by slug")
        await env.DB.prepare("UPDATE reports SET target_id = ? WHERE reporter_id = ?")
          .bind(slug, reporter.id)
          .run();
    });
    const id = form === "by slug" ? hut.slug : hut.id;
    expect((await decide(root, "hut", id, "remove")).status).toBe(302);
    expect([await openOf(id), await isKept(next)]).toEqual([0, 1]);
    expect(await mailOf(owner)).toHaveLength(1);
  },
);

test("Q-30 a report of a hut from before 0.2.0, by slug, still removes it", async () => {
  const [owner, reporter, root] = [await makeUser(), await makeUser(), await warden()];
  const hut = await makeHut(owner, [owner]);
  await send(reporter, "hut", hut.slug);
  await env.DB.prepare("UPDATE reports SET target_id = ? WHERE reporter_id = ?")
    .bind(hut.slug, reporter.id)
    .run();
  expect((await decide(root, "hut", hut.slug, "remove")).status).toBe(302);
  expect([await openOf(hut.slug), await isKept(hut)]).toEqual([0, 0]);
});

test.each(["mute", "ban"])(
  "Q-30 %s for a post in a hut leaves its author free in the hut that has its slug since",
  async (act) => {
    const [author, reporter, root] = [await makeUser(), await makeUser(), await warden()];
    let postId = 0;
    const { next } = await replacedHut(async ({ id }) => {
      postId = await makePost(author, { hutId: id }, "Rude words");
      expect((await send(reporter, "post", postId)).status).toBe(201);
    });
    await decide(root, "post", postId, act);
    expect([await sanctionsIn(next), await openOf(postId)]).toEqual([[], 1]);
  },
);

test.each([
  ["mute", { mute: 1 }],
  ["ban", { ban: 1 }],
] as const)(
  "Q-31 a granted appeal against a %s lifts nothing in the hut that has the slug since",
  async (act, change) => {
    const [author, reporter, root] = [await makeUser(), await makeUser(), await warden()];
    const { next } = await replacedHut(async ({ id }) => {
      const postId = await makePost(author, { hutId: id }, "Rude words");
      await send(reporter, "post", postId);
      expect((await decide(root, "post", postId, act)).status).toBe(302);
    });
    const member = `/groups/${next.slug}/members/${author.username}`;
    expect((await callAs(root, "PATCH", member, change)).status).toBeLessThan(300);
    await appeal(author);
    expect((await grant(root, author)).status).toBe(302);
    expect(await sanctionsIn(next)).toEqual([{ kind: act, until: null }]);
  },
);
