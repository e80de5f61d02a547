// The session form, as posted with and without JavaScript.
import { describe, expect, test } from "vitest";
import { SessionFormInput, SessionUpdateInput } from "./sessions";

const posted = (over: Record<string, unknown> = {}) => ({
  title: "Morning run",
  startMode: "date",
  hasPeople: "1",
  startedAt: "2026-11-22T10:00",
  timeZone: "Europe/Vienna",
  duration: "1h 30m",
  schedule: "",
  ...over,
});
type Errors = Record<string, string | undefined>;
const read = (over: Record<string, unknown> = {}) => {
  const parsed = SessionFormInput.safeParse(posted(over));
  return parsed.success
    ? { input: parsed.data, errors: {} as Errors }
    : {
        input: undefined,
        errors: Object.fromEntries<string | undefined>(
          parsed.error.issues.map((issue) => [issue.path.join("."), issue.message]),
        ),
      };
};

test("T-21 a start is read in the viewer's time zone, and a duration in words", () => {
  expect(read().input).toMatchObject({
    title: "Morning run",
    startedAt: Date.UTC(2026, 10, 22, 9, 0),
    duration: 5400,
    isManuallyStarted: false,
    participantLimit: null,
  });
  expect(read({ timeZone: "Nowhere/At all" }).input?.startedAt).toBe(Date.UTC(2026, 10, 22, 10, 0));
});

test("T-10 a manual start has no date, even if a date was typed", () => {
  expect(read({ startMode: "manual" }).input).toMatchObject({ isManuallyStarted: true, startedAt: null });
});

test("an empty duration means the length of the parts", () => {
  expect(read({ duration: "" }).input?.duration).toBeNull();
});

test.each<[string, Record<string, unknown>, string, RegExp]>([
  ["V-20 no title", { title: "  " }, "title", /^Please set the challenge title\.$/],
  ["R-19 a bare number", { duration: "90" }, "duration", /unit/],
  ["T-20 no date", { startedAt: "2026-02-30T10:00" }, "startedAt", /date and time/],
  ["no number", { participantLimit: "many" }, "participantLimit", /whole number/],
  ["no address", { donationLink: "javascript:alert(1)" }, "donationLink", /https/],
  ["broken timers", { schedule: "{" }, "schedule", /could not be read/],
  ["timers of another shape", { schedule: '{"groups":1}' }, "schedule", /./],
])("the error of %s appears at its field", (_, over, field, sentence) => {
  expect(read(over).errors[field]).toMatch(sentence);
});

test("several errors appear together", () => {
  expect(Object.keys(read({ title: "", duration: "90", participantLimit: "x" }).errors).sort()).toEqual([
    "duration",
    "participantLimit",
    "title",
  ]);
});

describe("without JavaScript", () => {
  test("rows become parts", () => {
    const rows = [
      { title: "Warm up", duration: "5m", isAutoStart: "on" },
      { title: "", duration: "" },
      { title: "Talk", duration: "" },
    ];
    const { input } = read({ rows });
    expect(
      input?.schedule?.groups.map((group) => [group.isAutoStart, group.parts.map(({ title }) => title)]),
    ).toEqual([
      [true, ["Warm up"]],
      [false, ["Talk"]],
    ]);
  });
  test("an invalid duration appears at its row", () => {
    expect(
      read({ rows: [{ title: "Run", duration: "90", isAutoStart: "on" }] }).errors["rows.0.duration"],
    ).toMatch(/unit/);
  });
});

test("an update keeps the activity and names the session", () => {
  const parsed = SessionUpdateInput.parse({ ...posted({ activitySlug: "x", isFree: "on" }), session: "10" });
  expect(parsed).toMatchObject({ session: 10, title: "Morning run", isFree: true });
  expect(parsed).not.toHaveProperty("activitySlug");
});

test("fields that the form does not contain keep their values", () => {
  const parsed = SessionUpdateInput.parse({ session: 10, title: "Run", duration: "1h" });
  for (const field of [
    "startedAt",
    "isManuallyStarted",
    "hutId",
    "joinCode",
    "isFree",
    "participantLimit",
    "donationLink",
  ])
    expect(parsed).not.toHaveProperty(field);
});
