// The pages of huts, as rendered by the server, and their plain forms.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs } from "#tests/support/ask";
import { makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { makeSession } from "#tests/support/sessions";
import { post, visit } from "#tests/support/visit";
import { routeTo } from "~/wire/named-routes";

type Hut = { id: number; slug: string };
const makeHut = async (user: TestUser, hut: object): Promise<Hut> =>
  (await callAs(user, "POST", "/groups/store", { hut })).body.hut;
const buttons = async (page: { texts(selector: string): Promise<string[]> }) =>
  page.texts("main form button");

test.each(["/groups/create", "/huts/create"])(
  "P-28 U-38 %s creates a hut and redirects to it, with errors at their fields",
  async (path) => {
    const user = await makeUser();
    expect((await visit(null, path)).location).toBe(`/?auth=login&next=${encodeURIComponent(path)}`);
    const form = await visit(user, path);
    expect(await form.texts("h1")).toEqual(["Create a Hut"]);
    expect((await form.all('main [name="title"], main [name="content"]')).length).toBe(2);
    const wrong = await post(user, path, { intent: "create", title: " ", content: "Kept *text*" });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain("Please give the hut a name.");
    expect(await wrong.texts('main textarea[name="content"]')).toEqual(["Kept *text*"]);
    const title = `Slow ${user.username}`;
    const made = await post(user, path, { intent: "create", title, content: "Slowly" });
    expect([made.status, made.location]).toEqual([302, `/group/slow-${user.username}`]);
    expect(await (await visit(user, made.location ?? "")).texts("h1")).toEqual([`h/${title}`]);
  },
);

test("P-29 U-38 a hut's owner updates it at its named route, and is redirected to it", async () => {
  const [owner, stranger] = [await makeUser(), await makeUser()];
  const hut = await makeHut(owner, { title: "To be renamed", content: "Old" });
  const path = routeTo("UpdateChallengeGroup", { group: hut });
  expect(path).toBe(`/groups/${hut.slug}/update`);
  expect(await (await visit(owner, `/group/${hut.slug}`)).links()).toMatchObject({ Update: path });
  expect(await (await visit(stranger, `/group/${hut.slug}`)).links()).not.toHaveProperty("Update");
  expect((await visit(null, path)).location).toBe(`/?auth=login&next=${encodeURIComponent(path)}`);
  expect((await visit(stranger, path)).status).toBe(403);
  const form = await visit(owner, path);
  expect(await form.texts("h1")).toEqual(["Update Hut"]);
  expect((await form.all('main [name="title"]'))[0]?.attributes.value).toBe("To be renamed");
  const saved = await post(owner, path, { intent: "update", title: "Renamed", content: "New" });
  expect([saved.status, saved.location]).toEqual([302, `/group/${hut.slug}`]);
  expect(await (await visit(null, `/group/${hut.slug}`)).texts("h1")).toEqual(["h/Renamed"]);
});

test("C-88 R-22 activities are attached and detached on a hut's page, by URL, with plain forms", async () => {
  const [owner, member, stranger] = await makeUsers(3);
  const hut = await makeHut(owner, { title: "Open door" });
  await callAs(member, "POST", `/groups/${hut.slug}/join`, {});
  const made = async (user: TestUser, title: string): Promise<string> =>
    (await callAs(user, "POST", "/challenges", { challenge: { title } })).body.challenge.slug;
  const [mine, theirs] = [await made(member, "Mine to bring"), await made(stranger, "Not mine to bring")];
  const path = `/group/${hut.slug}/activities`;
  const sees = async (who: TestUser | null) =>
    (await (await visit(who, path)).texts("main form button")).filter((text) => /Attach|Remove/.test(text));
  expect([await sees(null), await sees(stranger), await sees(member)]).toEqual([[], [], ["Attach"]]);
  const attach = (who: TestUser, activity: string) => post(who, path, { intent: "attach", activity });
  expect((await attach(stranger, mine)).status).toBe(403);
  expect((await attach(member, theirs)).status).toBe(403);
  const wrong = await attach(member, "/activities/nothing-like-it");
  expect([wrong.status, wrong.html.includes("We could not find this activity.")]).toEqual([404, true]);
  expect((await wrong.all('main [name="activity"]'))[0]?.attributes.value).toBe(
    "/activities/nothing-like-it",
  );
  expect((await attach(member, " ")).html).toContain("Please give the address of an activity.");

  const brought = await attach(member, `https://bothy.example/activities/${mine}?page=2`);
  expect(await brought.texts('main [aria-label="Activities of this hut"] > li h3')).toEqual([
    "Mine to bring",
  ]);
  expect((await attach(owner, theirs)).html).toContain("The activity belongs to this hut now.");
  expect(await sees(owner)).toEqual(["Remove", "Remove", "Attach"]);
  const out = await post(owner, path, { intent: "detach", activity: theirs });
  expect(await out.texts('main [aria-label="Activities of this hut"] > li h3')).toEqual(["Mine to bring"]);
});

test("P-39 P-40 P-41 U-34 a hut has its description, sessions and activities on tabs, with its people beside them", async () => {
  const [owner, member] = [await makeUser(), await makeUser()];
  const hut = await makeHut(owner, { title: "Cliff people", content: "We **climb**" });
  const other = await makeHut(owner, { title: "Beach people" });
  await callAs(member, "POST", `/groups/${hut.slug}/join`, {});
  for (const [title, hut_id] of [
    ["Climb", hut.id],
    ["Abseil", hut.id],
    ["Bathe", other.id],
  ] as const) {
    const { slug } = (await callAs(owner, "POST", "/challenges", { challenge: { title, hut_id } })).body
      .challenge;
    await makeSession(owner, { challenge_slug: slug, title: `${title} together` });
  }
  const path = `/group/${hut.slug}`;
  const listed = async (at: string, label: string) =>
    (await visit(null, at)).texts(`main [aria-label="${label}"] > li h3`);

  for (const at of [path, `${path}/sessions`, `${path}/activities`]) {
    const page = await visit(null, at);
    expect(await page.texts("h1")).toEqual(["h/Cliff people"]);
    expect(await page.texts("title")).toEqual(["h/Cliff people · Bothy"]);
    expect(await page.links('nav[aria-label="Hut"]')).toMatchObject({
      Details: path,
      Sessions: `${path}/sessions`,
    });
    expect((await page.texts("aside"))[0]).toContain("2 members");
    // Once on each: the details have the whole text.
    expect((await page.texts("main"))[0]?.split("We climb"), at).toHaveLength(2);
    if (at !== path) expect((await page.texts("aside"))[0]).toContain("We climb");
  }
  expect((await visit(null, path)).html).toContain("<p>We <strong>climb</strong></p>");
  expect((await (await visit(null, `/group/${other.slug}`)).texts("aside"))[0]).toContain(
    "No description yet.",
  );
  expect(await listed(path, "Activities of this hut")).toEqual(["Abseil", "Climb"]);
  expect(await listed(path, "Sessions of this hut")).toEqual(["Abseil together", "Climb together"]);
  expect(await listed(`${path}/sessions`, "Sessions of this hut")).toEqual([
    "Abseil together",
    "Climb together",
  ]);
  expect(await listed(`${path}/sessions`, "Activities of this hut")).toEqual([]);
  expect(await listed(`${path}/sessions?q=climb`, "Sessions of this hut")).toEqual(["Climb together"]);
  expect(await listed(`${path}/activities`, "Activities of this hut")).toEqual(["Abseil", "Climb"]);
  expect(await listed(`${path}/activities`, "Sessions of this hut")).toEqual([]);
  expect(await listed(`${path}/activities?q=abs`, "Activities of this hut")).toEqual(["Abseil"]);
  for (const ending of ["", "/sessions", "/activities"])
    expect((await visit(null, `/group/nothing-like-it${ending}`)).status).toBe(404);

  // Other lists have an introduction beside them.
  const [intro] = await (await visit(null, "/activities")).texts("aside");
  expect(intro).toContain("A session is a timed run of an activity");
});

test("U-35 a hut without sessions offers its people to invite others and to create the first", async () => {
  const [owner, member, other] = await makeUsers(3);
  const hut = await makeHut(owner, { title: `Empty ${owner.username}` });
  const path = `/group/${hut.slug}`;
  await callAs(member, "POST", `/groups/${hut.slug}/join`, {});
  const create = `/challenges/events/create?hut=${hut.slug}`;
  for (const at of [path, `${path}/sessions`]) {
    for (const user of [owner, member]) {
      const page = await visit(user, at);
      expect(await page.links("main")).toMatchObject({ "Create the first session": create });
      expect(await page.texts("main button")).toContain("Invite people");
    }
    for (const user of [other, null]) {
      const page = await visit(user, at);
      expect(await page.links("main")).not.toHaveProperty("Create the first session");
      expect(page.html).toContain("This hut has no active sessions.");
    }
  }
  expect(await (await visit(owner, `${path}/sessions?q=tea`)).links("main")).not.toHaveProperty(
    "Create the first session",
  );
  // A private hut opens by the link that its moderators make.
  await callAs(owner, "PATCH", `/groups/${hut.slug}/patch`, {
    hut: { title: `Empty ${owner.username}`, is_private: 1 },
  });
  expect(await (await visit(owner, path)).links("main")).toMatchObject({
    "Invite people": `${path}/members`,
  });
  const seen = await visit(member, path);
  expect(await seen.links("main")).toHaveProperty("Create the first session");
  expect(seen.html).not.toContain("Invite people");
  // With a session nothing is offered.
  await makeSession(owner, { hut_id: hut.id });
  expect(await (await visit(owner, path)).links("main")).not.toHaveProperty("Create the first session");
});

test("U-35 M-22 M-23 Join Hut shows until the viewer has joined; joining and leaving work as plain forms with a message", async () => {
  const [owner, user] = [await makeUser(), await makeUser()];
  const hut = await makeHut(owner, { title: "Open door" });
  const path = `/group/${hut.slug}`;
  for (const who of [null, user]) expect(await buttons(await visit(who, path))).toContain("Join Hut");
  expect(await buttons(await visit(owner, path))).not.toContain("Join Hut");
  const asked = await post(null, path, { intent: "join" });
  expect(asked.status).toBe(401);
  expect(asked.html).toContain("Please sign in to use that feature.");

  const joined = await post(user, path, { intent: "join" });
  expect(joined.html).toContain("You have successfully joined this hut.");
  expect(await buttons(joined)).not.toContain("Join Hut");
  expect(await buttons(joined)).toContain("Leave");
  expect((await joined.texts("aside"))[0]).toContain("2 members");
  const card = async (within = "main") =>
    (await (await visit(user, "/groups")).all(`${within} form[action="${path}"] button`)).map(
      ({ text }) => text,
    );
  // Leaving is in a menu only.
  expect([await card(), await card("main .menu-panel")]).toEqual([["Leave"], ["Leave"]]);
  expect(await (await visit(owner, "/groups")).all(`main form[action="${path}"] button`)).toEqual([]);

  const left = await post(user, path, { intent: "leave" });
  expect(left.html).toContain("You have successfully left the hut.");
  expect(await buttons(left)).toContain("Join Hut");
  expect([await card(), await card("main .menu-panel")]).toEqual([["Join Hut"], []]);
  // A private hut asks on its page before a member leaves.
  await post(user, path, { intent: "join" });
  await env.DB.prepare("UPDATE huts SET is_private = 1 WHERE id = ?").bind(hut.id).run();
  const own = await visit(user, "/groups?joined=1");
  expect(own.html).toContain(path);
  expect(await own.all(`main form[action="${path}"] button`)).toEqual([]);
});

test("Q-28 R-82 a hut shows faces and the next date to its members, and the list leads to that date", async () => {
  const [owner, member, blocked, outsider] = [
    await makeUser(),
    await makeUser(),
    await makeUser(),
    await makeUser(),
  ];
  const hut = await makeHut(owner, { title: "Faces" });
  const bystander = await makeHut(owner, { title: "Elsewhere" });
  const path = `/group/${hut.slug}`;
  for (const user of [member, blocked]) await post(user, path, { intent: "join" });
  await callAs(member, "PUT", `/api/blocks/${blocked.username}`);
  const later = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const { id } = await makeSession(owner, { hut_id: hut.id, started_at: later, is_manually_started: 0 });
  for (const tab of ["", "/sessions", "/activities"]) {
    const faces = async (user: TestUser | null) =>
      (await visit(user, path + tab)).texts('ul[aria-label="Members"] li');
    expect((await faces(owner)).length).toBe(3);
    expect(await faces(member)).toEqual([owner.username, member.username, "and 1 more"]);
    for (const user of [outsider, null]) expect(await faces(user)).toEqual([]);
  }
  const next = async (user: TestUser | null, list: string) =>
    (await (await visit(user, list)).all(`main li a[href="/sessions/${id}"]`)).length;
  expect([await next(member, "/groups"), await next(member, "/my/groups")]).toEqual([1, 1]);
  expect(await next(outsider, "/groups")).toBe(0);
  expect((await visit(owner, "/groups")).html).toContain(bystander.slug);
});
