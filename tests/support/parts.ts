// A session with a group of three linked timers, and the calls to its parts.
import { callAs } from "./ask";
import { makeUser, type TestUser } from "./factories";
import { makeSession } from "./sessions";

/** The planned start. */
export const START = "2031-03-01T10:00:00.000Z";
/** The instant `n` minutes after the start. */
export const minute = (n: number) => new Date(Date.parse(START) + n * 60_000).toISOString();

export async function makePlan(over: Record<string, unknown> = {}) {
  const host = await makeUser();
  const session = await makeSession(host, {
    is_manually_started: 0,
    started_at: START,
    duration: 3600,
    parts: [
      {
        uuid: "g",
        parts: [
          { uuid: "a", title: "A", duration: 300 },
          { uuid: "b", title: "B", duration: 600 },
          { uuid: "c", title: "C", duration: 300 },
        ],
      },
    ],
    ...over,
  });
  const as =
    (user: TestUser) => (method: string, path: string, body?: object, headers?: Record<string, string>) =>
      callAs(user, method, `/challenges/${session.slug}${path}`, body, headers);
  return { host, session, as, ask: as(host) };
}

export type WirePart = {
  uuid: string;
  title: string;
  duration: number;
  started_at: string | null;
  ended_at: string | null;
};

/** Each part with the minutes of its start and end. */
export const course = (parts: { parts: WirePart[] }[]) =>
  parts
    .flatMap((group) =>
      group.parts.map(
        (part) => `${part.uuid} ${part.started_at?.slice(14, 16)}-${part.ended_at?.slice(14, 16)}`,
      ),
    )
    .join(", ");
