// The calls between a room and its leaves, which carry sockets of a large session near their people (decision 66).
import type { ClientMessage } from "~/wire/room-messages";
import type { Env } from "../env";
import type { SessionLeaf } from "./session-leaf";
import type { Identity, Join, Listener } from "./sockets";

/** The header of the room's answer to an upgrade that a leaf shall take; its value is a `LeafPlace`. */
export const PLACE = "X-Bothy-Place";
/** A leaf, and the id of the socket that it shall carry. */
export type LeafPlace = { leaf: string; socketId: string };

/** Where the platform places an object; "any": the platform decides. */
export type Region = DurableObjectLocationHint | "any";

const SEPARATOR = ":";
export const leafName = (sessionId: number, region: Region, n: number): string =>
  [sessionId, region, n].join(SEPARATOR);

export const sessionOf = (leaf: string): number => Number(leaf.split(SEPARATOR)[0]);

/** A stub whose leaf died stays broken, so each call takes a new stub. */
export function openLeaf(env: Pick<Env, "LEAVES">, leaf: string): DurableObjectStub<SessionLeaf> {
  const region = leaf.split(SEPARATOR)[1] as Region;
  const id = env.LEAVES.idFromName(leaf);
  return env.LEAVES.get(id, region === "any" ? {} : { locationHint: region });
}

/** An act of a leaf's socket. `began`: the leaf has closed all its sockets and has a new epoch. */
export type FromLeaf =
  | { type: "open"; socketId: string; identity: Identity; ticket: string | null; join?: Join }
  | { type: "message"; socketId: string; message: ClientMessage }
  | { type: "close"; socketId: string }
  | { type: "began" };
/** `reset`: the room does not know the leaf's sockets, so the leaf closes them. */
export type RelayAnswer = "heard" | "reset";

/** `frame` is for the sockets that have joined, except those of some users. */
export type ToLeaf =
  | { type: "frame"; frame: string; except: readonly number[] }
  | { type: "send"; socketId: string; frame: string }
  | { type: "joined"; socketId: string; username: string }
  | { type: "close"; socketId: string; code: number; reason: string };

/** The sockets of a leaf. */
export type LeafHello = { epoch: string; listeners: { socketId: string; listener: Listener }[] };
