// Reports by users of other products, sent through the doors of Bothy.
import { beforeEach, describe, expect, test } from "vitest";
import { ask, callAs, dataOf } from "#tests/support/ask";
import { makeUser, makeUsers, type TestUser } from "#tests/support/factories";
import { goalNow, makeGoal } from "#tests/support/goals";
import { drain, emptySpine, spineApp } from "#tests/support/notices";
import { join, makeSession } from "#tests/support/sessions";
import { post } from "#tests/support/visit";
import { NOT_A_NUMBER } from "~/domain/numbers";

describe("R-78 H-07 a log by hand, posted to a goal in kilometres,", () => {
  const KM = 1_000_000;
  let user: TestUser;
  let goal: number;
  const logged = (distance: string, locale: string) =>
    post(user, `/my/goals/${goal}`, {
      intent: "log.create",
      goal: String(goal),
      distance,
      reader: `${locale} km`,
    });
  const total = async () => (await goalNow(goal)).distanceElapsed;
  const isReached = async () => (await dataOf(user, `/api/my/goals/${goal}`)).goal.is_progress_complete === 1;

  beforeEach(async () => {
    user = await makeUser();
    goal = (await makeGoal(user, { amount: null, distance: 25 * KM })).id;
    expect((await logged("20", "en-US")).status).toBe(302);
  });

  test.each([
    ["2,5", 2.5],
    ["0,5", 0.5],
    ["1.234,5", 1234.5],
    ["−5", -5],
    ["１２", 12],
    ["١٢", 12],
    ["½", 0.5],
  ])("of %s counts %d", async (typed, meant) => {
    expect((await logged(typed, "en-US")).status).toBe(302);
    expect([await total(), await isReached()]).toEqual([(20 + meant) * KM, 20 + meant >= 25]);
    for (const locale of ["de-DE", "ar-EG"]) expect((await logged(typed, locale)).status).toBe(302);
    expect(await total()).toBe((20 + 3 * meant) * KM);
  });

  test.each(["1e3", "abc", "1/2", "5 x 3"])("of %s is refused by a sentence at its field", async (typed) => {
    const refused = await logged(typed, "en-US");
    expect([refused.status, await total()]).toEqual([422, 20 * KM]);
    const [field] = await refused.all('input[name="distance"]');
    expect(field?.attributes).toMatchObject({ value: typed, "aria-invalid": "true" });
    const described = (field?.attributes["aria-describedby"] ?? "").split(" ");
    const said = await Promise.all(described.map((id) => refused.texts(`[id="${id}"]`)));
    expect(said.flat().join()).toContain(NOT_A_NUMBER);
  });
});

test("R-78 12345.678 steps are shown in the groups of the reader's locale", async () => {
  const user = await makeUser();
  const goal = await makeGoal(user, { amount: 20_000_000, unit: "steps" });
  await callAs(user, "POST", "/api/logs/store-quick-log", { goal_id: goal.id, amount: 12345.678 });
  for (const [language, shown] of [
    ["en-US", "12,345.678 of 20,000 steps"],
    ["de-DE", "12.345,678 of 20.000 steps"],
  ]) {
    const answer = await ask(`/my/goals/${goal.id}`, {
      headers: {
        Cookie: `login=${user.loginToken}`,
        "Accept-Language": String(language),
        Accept: "text/html",
      },
    });
    expect(await answer.text()).toContain(shown);
  }
});

describe("R-80 a text of Markdown", () => {
  let user: TestUser;
  let session: { id: number; slug: string };
  const made = async (path: string, body: object) => {
    const answer = await callAs(user, "POST", path, body);
    expect([answer.status, answer.status < 300 || JSON.stringify(answer.body)]).toEqual([
      answer.status,
      true,
    ]);
    return answer.body;
  };
  beforeEach(async () => {
    user = await makeUser({ tokens: 100_000 });
    session = await makeSession(user);
    await join(user, session.id);
  });

  type Text = { content_html?: string; summary?: string };
  /** Every kind of thing whose text has a summary in lists, by the door that makes it. */
  const SUMMARISED: Record<string, (content: string) => Promise<Text>> = {
    goal: async (content) => (await made("/api/goals/store", { title: "A", content })).goal,
    note: async (content) => made("/api/notes", { title: "A", content }),
    activity: async (content) =>
      (await made("/challenges", { challenge: { title: "A", content } })).challenge,
    hut: async (content) => (await made("/groups/store", { hut: { title: "A", content } })).hut,
    item: async (content) => (await made("/items", { itemData: { title: "A", content } })).item,
  };
  const TEXTS: typeof SUMMARISED = {
    ...SUMMARISED,
    "forum post": async (content) =>
      (await made(`/challenges/${session.slug}/posts`, { item: { content } })).post,
  };

  test.each(Object.entries(TEXTS))("of a %s keeps single tildes", async (_, write) => {
    for (const content of ["3~4 sets, 5~6 min", "about ~5 km or ~10 km"]) {
      const { content_html: html = "", summary } = await write(content);
      if (html !== "") expect(html).toContain(`<p>${content}</p>`);
      if (summary !== undefined) expect(summary).toBe(content);
      expect(html + summary).not.toBe("undefined");
    }
  });

  test.each(Object.entries(SUMMARISED))(
    "of 400 emoji in a %s has a summary of whole ones",
    async (_, write) => {
      const { summary = "" } = await write("😀".repeat(400));
      expect(summary).not.toMatch(/\p{Cs}/u);
      expect(summary).toMatch(/^😀{100,}…?$/u);
    },
  );

  test.each(Object.entries(SUMMARISED))(
    "of a table in a %s has spaces between its cells",
    async (_, write) => {
      const { summary } = await write("| Name | Km |\n|---|---|\n| Ann | 5 |");
      expect(summary).toBe("Name Km Ann 5");
    },
  );
});

test("R-80 a control of direction in a title is folded away, in the notice and the subject of its cancellation too", async () => {
  await emptySpine();
  const [host, guest] = await makeUsers(2);
  const { body } = await callAs(host, "POST", "/challenge-events", {
    challenge: { title: "abc\u202egnp.exe", duration: 3600, is_manually_started: 1 },
  });
  const { id, slug, title } = body.challenge_event;
  expect(title).toBe("abcgnp.exe");
  await join(guest, id);
  expect((await callAs(host, "DELETE", `/challenges/${slug}`)).status).toBe(204);
  const { app, mails } = await spineApp();
  await drain(app);
  const { notices } = await dataOf(guest, "/api/my/notices");
  expect(notices[0].text).toMatch(/^abcgnp\.exe was cancelled\./);
  expect(mails.map(({ subject }) => subject).join()).toMatch(/^abcgnp\.exe was cancelled/);
});
