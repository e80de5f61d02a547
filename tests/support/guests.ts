// People who sit in without an account (H-17).
import { instant } from "~/domain/time";
import { callAs } from "./ask";
import { makeUser, type TestUser, testApp } from "./factories";
import { join, makeSession, seatsOf, setSession } from "./sessions";
import { post } from "./visit";

/** A session of a rich host that takes five guests, with a member. */
export async function openHouse(over: Record<string, unknown> = {}) {
  const [host, member] = [await makeUser({ tokens: 5000 }), await makeUser()];
  const session = await makeSession(host, over);
  await setSession(session.id, { guestLimit: 5 });
  const { status } = await join(member, session.id);
  if (status !== 200) throw new Error(`not joined: ${status}`);
  return { host, member, ...session };
}

/** Presses "Sit in"; the guest as a user of tests, or null without a seat. */
export async function sitIn(path: string, name: string, more: Record<string, string> = {}) {
  const answer = await post(null, path, { intent: "sit-in", name, ...more });
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith("login="));
  const loginToken = /^login=([^;]+)/.exec(cookie ?? "")?.[1];
  if (loginToken === undefined) return { answer, guest: null };
  const { user } = await testApp({ loginToken, now: instant(Date.now()) });
  if (!user) throw new Error("no guest");
  const guest: TestUser = {
    id: user.id,
    personId: user.personId,
    username: user.username,
    email: user.email,
    loginToken,
  };
  return { answer, guest };
}
/** Sits in, and throws where that is refused. */
export async function seated(path: string, name: string, more: Record<string, string> = {}) {
  const { guest, answer } = await sitIn(path, name, more);
  if (!guest) throw new Error(`no seat: ${answer.status} ${answer.html.slice(0, 300)}`);
  return guest;
}

/** The time of the machine, which a room's clock may set. */
export const now = () => instant(Date.now());
export const eventPath = (id: number, path: string) => `/challenge-events/${id}/${path}`;
export const seatPath = (id: number, { username }: TestUser) =>
  eventPath(id, `participants/${encodeURIComponent(username)}`);
export const beginRun = (host: TestUser, id: number) => callAs(host, "POST", eventPath(id, "start"), {});
export const endRun = (host: TestUser, id: number) => callAs(host, "POST", eventPath(id, "end"), {});
export const seatedIds = async (id: number) =>
  (await seatsOf(id)).map(({ userId }) => userId).sort((a, b) => a - b);
export const sortedIds = (...users: TestUser[]) => users.map(({ id }) => id).sort((a, b) => a - b);
