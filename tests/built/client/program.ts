// Another author's program: a client generated from the OpenAPI document logs a goal, creates a session and joins it.
import createClient from "openapi-fetch";
// The test generates it from the document.
import type { paths } from "./api";

const { SITE: baseUrl = "", HOST_KEY = "", GUEST_KEY = "" } = process.env;
const clientWith = (key: string) =>
  createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
const [host, guest] = [clientWith(HOST_KEY), clientWith(GUEST_KEY)];

/** The data of an answer; an error ends the program with its sentence. */
function done<T>({ data, error }: { data?: T; error?: { message: string } }): T {
  if (data === undefined) throw new Error(error?.message);
  return data;
}

const { goal } = done(await host.POST("/api/goals/store", { body: { title: "Read" } }));
const { log } = done(await host.POST("/api/logs/store-quick-log", { body: { goal_id: goal.id, amount: 2 } }));
const { challenge_event: session } = done(
  await host.POST("/challenge-events", {
    body: { title: "Reading round", duration: 3600, is_manually_started: 1 },
  }),
);
const joined = done(
  await guest.POST("/challenge-events/{event}/join", {
    params: { path: { event: session.id } },
    body: {},
  }),
);
console.log(
  JSON.stringify({
    goal: goal.title,
    amount: log.amount,
    session: session.title,
    seats: joined.challenge_event.participants_count,
  }),
);
