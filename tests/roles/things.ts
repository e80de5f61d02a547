// Every kind of thing on which a cell of the role matrix acts.
import { eq } from "drizzle-orm";
import { schema } from "#db/connect.server";
import { db, makeUser, newLogin, setUser, type TestUser } from "#tests/support/factories";
import { makePost } from "#tests/support/sessions";
import { type Actor, type Cast, must, type Role, type Target, type Thing } from "./cast";
import {
  activity,
  appealed,
  delivery,
  hut,
  hutRequest,
  invitation,
  item,
  log,
  newcomer,
  note,
  paraphrase,
  password,
  payment,
  person,
  privateHut,
  reported,
  snippet,
  subscription,
  unpaid,
} from "./own-things";
import {
  CODE,
  fullSession,
  goalOf,
  heldSeries,
  isCast,
  type Maker,
  series,
  session,
  sessionPost,
  TURNS,
} from "./session-things";

/** Every kind of thing, and the actor who owns `theirs`. */
const KINDS = {
  session: ["host", session("waiting")],
  coded: ["host", session("waiting", { joinCode: CODE })],
  full: ["host", fullSession],
  running: ["host", session("running")],
  "coded running": ["host", session("running", { joinCode: CODE })],
  turns: ["host", session("running", { schedule: TURNS })],
  /** A line in the host's session. */
  line: [
    "host",
    async (owner, cast, actor) => {
      const made = await session("running")(owner, cast, actor);
      const { message } = await must(owner, "POST", "/messages", {
        content: "Hello",
        messageable_type: "challenge_event",
        messageable_id: made.session,
      });
      return { ...made, seq: message.seq };
    },
  ],
  ended: ["host", session("ended")],
  muting: ["host", async (...of) => ({ ...(await session("waiting")(...of)), mute: 300 })],
  "keeping out": ["host", async (...of) => ({ ...(await session("waiting")(...of)), keep_out: 1 })],
  series: ["host", series],
  "held series": ["host", heldSeries],
  /** In a private hut of its host. */
  "private series": [
    "hut-owner",
    async (owner, cast, actor) => {
      const { hutId } = await privateHut(owner, cast, actor);
      const made = await series(owner, cast, actor);
      await db
        .update(schema.series)
        .set({ hutId: Number(hutId) })
        .where(eq(schema.series.id, Number(made.series)));
      return made;
    },
  ],
  "series post": [
    "host",
    async (owner, cast, actor) => {
      const made = await heldSeries(owner, cast, actor);
      return { ...made, post: await makePost(owner, { sessionId: Number(made.session) }) };
    },
  ],
  "session goal": [
    "host",
    async (owner, cast, actor) => {
      const made = await session("waiting")(owner, cast, actor);
      return { ...made, goal: made.sessionGoal ?? 0, goal_id: made.sessionGoal ?? 0 };
    },
  ],
  "session post": ["host", sessionPost()],
  "coded post": ["host", sessionPost({ joinCode: CODE })],
  /** A member's post in the owner's hut. */
  "hut post": [
    "hut-owner",
    async (owner, cast, actor) => {
      const made = await hut(owner, cast, actor);
      const author = isCast(owner, cast, "hut-owner") ? cast.of("member") : owner;
      return { ...made, post: await makePost(author, { hutId: Number(made.hutId) }) };
    },
  ],
  activity: ["owner", activity],
  hut: ["hut-owner", hut],
  "hut muting": ["hut-owner", async (...of) => ({ ...(await hut(...of)), mute: 300 })],
  "private hut": ["hut-owner", privateHut],
  "hut request": ["hut-owner", hutRequest],
  invitation: ["hut-owner", invitation],
  "hut and activity": [
    "hut-owner",
    async (owner, cast, actor) => ({
      ...(await hut(owner, cast, actor)),
      ...(await activity(isCast(owner, cast, "hut-owner") ? cast.of("owner") : owner, cast, actor)),
    }),
  ],
  /** Another user's hut, and an activity of the actor. */
  "my activity": [
    "hut-owner",
    async (owner, cast, actor) => ({
      ...(await hut(owner, cast, actor)),
      ...(await activity(actor ?? cast.of("owner"), cast, actor)),
    }),
  ],
  goal: ["owner", (owner) => goalOf(owner)],
  "goal into a session": [
    "owner",
    async (owner, cast, actor) => ({
      ...(await session("waiting")(actor ?? cast.of("host"), cast, actor)),
      ...(await goalOf(owner)),
    }),
  ],
  log: ["owner", log(3)],
  "running log": ["owner", log(1)],
  note: ["owner", note],
  item: ["owner", item({})],
  draft: ["owner", item({ status: 0 })],
  snippet: ["owner", snippet],
  paraphrase: ["owner", paraphrase],
  login: ["owner", (owner) => newLogin(owner)],
  password: ["owner", password],
  person: ["owner", person],
  /** Nobody of the cast: a suspension ends the logins. */
  suspect: ["owner", async () => ({ username: (await makeUser()).username })],
  user: ["owner", async (owner) => ({ person: owner.username, username: owner.username })],
  newcomer: ["owner", newcomer],
  reported: ["owner", reported],
  appealed: ["owner", appealed],
  delivery: ["owner", delivery],
  payment: ["owner", payment],
  "unpaid payment": ["owner", unpaid],
  subscription: ["subscriber", subscription],
} satisfies Record<string, [Role, Maker]> as Record<string, [Role, Maker]>;
type Kind = string;
/** Adds to a new thing. */
type Furnish = (kind: Kind, thing: Thing, owner: TestUser, cast: Cast) => Promise<void>;

const MISSING: Thing = new Proxy({} as Thing, {
  get: (_, name) =>
    ["challenge", "slug", "hut", "group", "person", "username", "activity", "uuid", "part", "book"].includes(
      String(name),
    )
      ? "no-such-thing"
      : name === "parentItem" ||
          name === "childItem" ||
          name === "login" ||
          name === "paymentIntent" ||
          name === "client_secret"
        ? "no-such-thing"
        : name === "type"
          ? "event"
          : name === "join_code"
            ? CODE
            : 999_999_999,
});

/** A new thing; `own` is the actor's. */
export async function makeThing(
  cast: Cast,
  kind: Kind,
  target: Target,
  actor: Actor,
  furnish?: Furnish,
): Promise<Thing> {
  if (kind === "-" || target === "missing") return MISSING;
  const [ownerRole, make] = KINDS[kind] ?? [];
  if (!ownerRole || !make) throw new Error(`nobody makes a ${kind}`);
  const owner = target === "own" ? actor.user : cast.of(ownerRole);
  if (!owner) throw new Error("a visitor owns nothing");
  // A guest makes nothing of their own.
  const thing = await make(owner, cast, actor.role === "guest" ? null : actor.user);
  await furnish?.(kind, thing, owner, cast);
  return thing;
}

/** Reuses each thing until a cell has changed it, because a refusal changes nothing. */
export function shelf(cast: Cast, furnish?: Furnish) {
  const kept = new Map<string, Thing>();
  const keyOf = (kind: Kind, target: Target, { role }: Actor) => `${kind} ${target} ${role}`;
  return {
    async take(kind: Kind, target: Target, actor: Actor): Promise<Thing> {
      const key = keyOf(kind, target, actor);
      const made = kept.get(key) ?? (await makeThing(cast, kind, target, actor, furnish));
      kept.set(key, made);
      if (actor.role === "guest" && actor.user && Number(made.session) < 999_999_999)
        await setUser(actor.user.id, { guestOf: Number(made.session) });
      return made;
    },
    spend: (kind: Kind, target: Target, actor: Actor): void => void kept.delete(keyOf(kind, target, actor)),
  };
}
