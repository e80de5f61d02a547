// The times of a session's parts through HTTP: ends and lengths that differ, and edits while the session runs.
import { describe, expect, test, vi } from "vitest";
import { callAs, dataOf } from "#tests/support/ask";
import { makeUser } from "#tests/support/factories";
import { course, makePlan, minute, START, type WirePart } from "#tests/support/parts";
import { makeSession, sessionNow } from "#tests/support/sessions";

test("T-05 T-08 an end that alone differs sets the length, and a start dates the timer that loses its rule", async () => {
  const { ask, session, host } = await makePlan({
    parts: [
      { uuid: "g", parts: [{ uuid: "a", title: "A", duration: 300 }] },
      { uuid: "h", linked: 0, parts: [{ uuid: "b", title: "B", duration: 300 }] },
    ],
  });
  const answered = async (uuid: string) => {
    const { parts } = (await dataOf(host, `/api/sessions/${session.id}`)).session;
    return (parts as { parts: WirePart[] }[])
      .flatMap((group) => group.parts)
      .find((part) => part.uuid === uuid);
  };
  const patch = async (uuid: string, change: object) => {
    const { status, body } = await ask("PATCH", `/parts/${uuid}`, { ...(await answered(uuid)), ...change });
    expect(status, JSON.stringify(body)).toBe(200);
    return course(body.parts);
  };
  expect(await patch("a", {})).toBe("a 00-05, b 05-10");
  expect(await patch("a", { ended_at: minute(20) })).toBe("a 00-20, b 20-25");
  expect(await patch("a", { duration: 600 })).toBe("a 00-10, b 10-15");
  // A start with a rule counts for nothing, because it may be older.
  expect(await patch("b", { started_at: minute(30), ended_at: minute(35) })).toBe("a 00-10, b 10-15");
  const dated = { relative_dates: 0, started_at: minute(30) };
  expect(await patch("b", dated)).toBe("a 00-10, b 30-35");
  expect(await patch("b", { started_at: minute(40) })).toBe("a 00-10, b 40-45");
  expect(await patch("b", { ended_at: minute(50) })).toBe("a 00-10, b 40-50");
  expect(await answered("b")).toMatchObject({ relative_dates: 0, duration: 600 });
  const back = { relative_dates: 1, start_of: "after_previous_ends", time_from: 300 };
  expect(await patch("b", back)).toBe("a 00-10, b 15-25");
});

test("T-05 R-69 a timer that comes back whole from an older read changes its title and nothing else", async () => {
  const { ask, host, session } = await makePlan();
  const read = async (uuid: string) => {
    const { parts } = (await dataOf(host, `/api/sessions/${session.id}`)).session;
    return (parts as { parts: WirePart[] }[])
      .flatMap((group) => group.parts)
      .find((part) => part.uuid === uuid);
  };
  const late = await read("b");
  await ask("PATCH", "/parts/a", { duration: 600 });
  const titled = await ask("PATCH", "/parts/b", { ...late, title: "B!" });
  expect([titled.status, titled.body.part.title]).toEqual([200, "B!"]);
  expect(course(titled.body.parts)).toBe("a 00-10, b 10-20, c 20-25");
  expect(course((await ask("PATCH", "/parts/b", { started_at: minute(8) })).body.parts)).toBe(
    "a 00-08, b 08-18, c 18-23",
  );
  const once = await read("b");
  await ask("PATCH", "/parts/a", { duration: 900 });
  const again = await ask("PATCH", "/parts/b", { ...once, title: "B?" });
  expect(course(again.body.parts)).toBe("a 00-15, b 15-25, c 25-30");
});

test("T-08 a session's end that comes with its length as it was sets the length, and one with another length does not", async () => {
  const { host, session } = await makePlan();
  const patch = async (challenge: object) => {
    const { status } = await callAs(host, "PATCH", `/challenge-events/${session.id}/patch`, { challenge });
    expect(status).toBe(200);
    const { endedAt, duration } = (await sessionNow(session.id)) ?? {};
    return [new Date(endedAt ?? 0).toISOString(), duration];
  };
  expect(await patch({ duration: 3600, ended_at: minute(120) })).toEqual([minute(120), 7200]);
  expect(await patch({ duration: 3600, ended_at: minute(120) })).toEqual([minute(60), 3600]);
  expect(await patch({ duration: 5400, ended_at: minute(120) })).toEqual([minute(90), 5400]);
  const moved = { started_at: minute(30), duration: 5400, ended_at: minute(90) };
  expect(await patch(moved)).toEqual([minute(120), 5400]);
});

test("C-61 T-08 a new timer lasts until its end, and takes its place in the group", async () => {
  const { ask } = await makePlan();
  const dated = await ask("POST", "/parts", {
    title: "Dated",
    uuid: "d",
    started_at: minute(30),
    ended_at: minute(50),
  });
  expect([dated.status, dated.body.part.duration]).toEqual([201, 1200]);
  expect(course(dated.body.parts)).toBe("a 00-05, b 05-15, c 15-20, d 30-50");
  const second = await ask("POST", "/parts", {
    events_group_uuid: "g",
    uuid: "s",
    title: "Second",
    duration: 60,
    order: 1,
  });
  expect(second.body.part).toMatchObject({ uuid: "s", order: 1 });
  const backwards = await ask("POST", "/parts", {
    title: "Back",
    started_at: minute(55),
    ended_at: minute(50),
  });
  expect([backwards.status, backwards.body.message]).toEqual([422, "A timer cannot end before it starts."]);
});

describe("while the session runs", () => {
  const OVERLAP =
    "Parts cannot overlap. The start dates must not occur before the previous timer's end date.";
  /** From minute 0 on: the first part runs until minute 30, A until 60, and B begins at 90, both by date. */
  async function run() {
    vi.setSystemTime(Date.parse(START));
    const host = await makeUser();
    const at = minute;
    const session = await makeSession(host, {
      is_manually_started: 0,
      started_at: at(0),
      parts: [
        { uuid: "f", parts: [{ uuid: "first", title: "First", duration: 1800 }] },
        {
          uuid: "g",
          linked: 0,
          parts: [
            { uuid: "a", title: "A", duration: 1800, started_at: at(30) },
            { uuid: "b", title: "B", duration: 600, started_at: at(90) },
          ],
        },
        { uuid: "l", parts: [{ uuid: "l1", title: "Last", duration: 600 }] },
      ],
    });
    vi.setSystemTime(Date.parse(at(1)));
    const ask = (method: string, path: string, body: object) =>
      callAs(host, method, `/challenges/${session.slug}${path}`, body);
    const now = async () => {
      const { parts } = (await dataOf(host, `/api/sessions/${session.id}`)).session;
      return (parts as { uuid: string; parts: WirePart[] }[]) ?? [];
    };
    return { host, session, at, ask, now, all: async () => course(await now()) };
  }

  test("T-09 V-22 V-24 V-25 a timer that is new or changed is refused where its plan cannot be kept", async () => {
    const { host, session, at, ask, all } = await run();
    const before = await all();
    const patch = (challenge: object) =>
      callAs(host, "PATCH", `/challenge-events/${session.id}/patch`, { challenge });
    const { parts } = (await dataOf(host, `/api/sessions/${session.id}`)).session;
    const withB = (change: object) => ({
      parts: parts.map((group: { parts: WirePart[] }) => ({
        ...group,
        parts: group.parts.map((part) => (part.uuid === "b" ? { ...part, ...change } : part)),
      })),
    });
    const early = { start_of: "before_previous_ends", time_from: 300 };
    for (const [answer, sentence] of [
      [await ask("PATCH", "/parts/b", { started_at: at(45) }), OVERLAP],
      [await ask("POST", "/parts", { title: "New", started_at: at(45) }), `${OVERLAP} Timer #5 must`],
      [await ask("POST", "/parts", { title: "New", duration: 0 }), "The duration cannot be 0"],
      [await ask("POST", "/parts", { title: "New", events_group_uuid: "l", ...early }), "Timer #5 starts"],
      [await patch(withB({ started_at: at(45), ended_at: at(55) })), `${OVERLAP} Timer #3 must not`],
      [await patch(withB({ duration: 0 })), "The duration cannot be 0"],
      [await patch(withB({ started_at: at(-5), ended_at: at(5) })), "The start date of timer #3 must not"],
      [await patch({ parts: [...parts, { title: "New", started_at: at(45) }] }), `${OVERLAP} Timer #5`],
    ] as const) {
      expect([answer.status, answer.body.message], sentence).toEqual([
        422,
        expect.stringContaining(sentence),
      ]);
      expect(await all()).toBe(before);
    }
  });

  test("T-09 a plan that changes no date is taken although a timer before it overran, and so is a later date", async () => {
    const { host, session, at, ask, all, now } = await run();
    const seen = await now();
    await callAs(host, "POST", `/challenge-events/${session.id}/parts/first/adjust`, { seconds: 600 });
    const titled = seen.map((group) => ({
      ...group,
      parts: group.parts.map((part) => ({ ...part, title: `${part.title}!` })),
    }));
    const saved = await callAs(host, "PATCH", `/challenge-events/${session.id}/patch`, {
      challenge: { parts: titled },
    });
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    expect(await all()).toBe("first 00-40, a 40-10, b 30-40, l1 40-50");
    expect((await ask("PATCH", "/parts/b", { started_at: at(75) })).status).toBe(200);
    expect(await all()).toBe("first 00-40, a 40-10, b 15-25, l1 25-35");
  });

  test("T-06 clearing a date clears those of the later timers, which then do not start by themselves", async () => {
    const { ask, all, at } = await run();
    expect((await ask("PATCH", "/parts/a", { started_at: null })).status).toBe(200);
    expect(await all()).toBe(
      "first 00-30, a undefined-undefined, b undefined-undefined, l1 undefined-undefined",
    );
    vi.setSystemTime(Date.parse(at(95)));
    expect(await all()).toMatch(/b undefined-undefined/);
  });
});
