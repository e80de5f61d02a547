// The forms of sessions and activities, as rendered by the server: fields at once, fields under "More", and the way on.
import { expect, test } from "vitest";
import { callAs } from "#tests/support/ask";
import { makeUser, type TestUser } from "#tests/support/factories";
import { post, type Visited, visit } from "#tests/support/visit";

const FORM = "/challenges/events/create";
const fields = ["input", "textarea", "select"];
const at = (where: string, name: string) => fields.map((tag) => `${where} ${tag}[name="${name}"]`).join(", ");

/** Which of these fields are in a fold. */
async function folded(page: Visited, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    expect((await page.all(at("main form", name))).length, name).toBeGreaterThan(0);
    if ((await page.all(at("main form details", name))).length > 0) found.push(name);
  }
  return found;
}
const activityOf = async (user: TestUser) =>
  (
    await callAs(user, "POST", "/challenges", {
      challenge: {
        title: "Rounds",
        parts: [{ uuid: "g", parts: [{ uuid: "a", title: "Up", duration: 300 }] }],
      },
    })
  ).body.challenge.slug as string;

const USUAL = ["title", "startMode", "startedAt", "duration", "participantLimit", "joinCode", "isFree"];
const RARE = [
  "content",
  "prompt",
  "activitySlug",
  "hutId",
  "category",
  "difficulty",
  "needsHost",
  "meetingLink",
  "donationLink",
];

test("Y-02 a session of an activity asks for title, start and people; the rest is under More", async () => {
  const user = await makeUser();
  const page = await visit(user, `${FORM}?activity=${await activityOf(user)}`);
  expect(await folded(page, [...USUAL, "repeatEvery"])).toEqual([]);
  expect(await folded(page, RARE)).toEqual(RARE);
  expect(await page.all("main form details[open]")).toEqual([]);
  expect(page.html).toMatch(
    /name="startedAt"[^>]*value="\d{4}-\d\d-\d\dT\d\d:00"|value="\d{4}-\d\d-\d\dT\d\d:00"[^>]*name="startedAt"/,
  );
});

test("Y-02 an error under More opens it, and keeps what was typed", async () => {
  const user = await makeUser();
  const page = await post(user, FORM, {
    title: "Tea",
    startMode: "manual",
    duration: "1h",
    hasPeople: "1",
    meetingLink: "http://insecure.example/room",
  });
  expect(page.status).toBe(422);
  expect(await page.all('main form details[open] input[name="meetingLink"]')).toHaveLength(1);
  expect(page.html).toContain("http://insecure.example/room");
});

test("Y-02 the form of an existing session shows every field", async () => {
  const user = await makeUser();
  const made = await post(user, FORM, { title: "Tea", startMode: "manual", duration: "1h" });
  const page = await visit(user, `${made.location?.replace("/sessions/", "/events/")}/update`);
  expect(await page.all('main form details[open] input[name="meetingLink"]')).toHaveLength(1);
  expect(await page.all('main form select[name="repeatEvery"]')).toEqual([]);
});

test("R-86 the sentence Repeats makes a series and its dates with the session, also without JavaScript", async () => {
  const user = await makeUser();
  const bystander = await makeUser();
  const start = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 13);
  const made = await post(user, FORM, {
    title: "Weekly tea",
    startMode: "date",
    startedAt: `${start}:00`,
    timeZone: "UTC",
    duration: "1h",
    repeatEvery: "week",
    repeatCount: "3",
  });
  expect(made.location).toMatch(/^\/sessions\/\d+$/);
  const sessions = await visit(user, "/my/sessions");
  expect((await sessions.texts("main li")).filter((row) => row.includes("Weekly tea"))).toHaveLength(3);
  expect((await visit(user, made.location ?? "")).html).toContain("/series/weekly-tea");
  expect((await visit(bystander, "/my/series")).html).not.toContain("Weekly tea");
});

test("Y-02 an activity asks for title and timers; goals and the rest are in folds", async () => {
  const user = await makeUser();
  const page = await visit(user, "/challenges/create");
  expect(
    await folded(page, [
      "title",
      "schedule",
      "content",
      "category",
      "difficulty",
      "hutId",
      "duration",
      "participantLimit",
      "isManuallyStarted",
      "isTemplate",
    ]),
  ).toEqual([
    "content",
    "category",
    "difficulty",
    "hutId",
    "duration",
    "participantLimit",
    "isManuallyStarted",
    "isTemplate",
  ]);
  expect(await page.texts("main form > details > summary")).toEqual([
    "Goals",
    "MoreDescription, category, hut, length",
  ]);
  const refused = await post(user, "/challenges/create", {
    intent: "create",
    title: "Tea",
    duration: "soon",
  });
  expect(refused.status).toBe(422);
  expect(await refused.all('main form details[open] input[name="duration"]')).toHaveLength(1);
});

test("Y-02 the button of a new activity that glows is Create a Session", async () => {
  const [owner, other] = [await makeUser(), await makeUser()];
  const path = `/activities/${await activityOf(owner)}`;
  const glowing = async (user: TestUser) =>
    (await visit(user, path)).texts('main [data-tour="activity-actions"] .bg-ember');
  expect(await glowing(owner)).toEqual(["Create a Session"]);
  expect(await glowing(other)).toEqual(["Follow"]);
});
