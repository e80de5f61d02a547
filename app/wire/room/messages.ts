// Parses the messages that a client sends over the room's socket. They are not in room.ts, because the browser
// imports that file and should not load a schema library.
import { z } from "zod";
import { REACTIONS } from "~/domain/room/signals";
import { manyLines, oneLine } from "~/domain/text-fields";
import { MESSAGE_LIMIT } from "./room";

/** 0 or 1, as in calls. */
const flag = z.literal([0, 1]).transform((value) => value === 1);

export const ClientMessageSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("join"),
    room: z.union([z.number(), oneLine().max(30)]),
    client_uuid: oneLine().max(100).default(""),
    username: oneLine().max(100),
    since: z.number().int().nonnegative().optional().catch(undefined),
  }),
  z.object({ type: z.literal("message"), content: manyLines(), nonce: oneLine().min(1).max(100) }),
  z.object({ type: z.literal("ready"), is_ready: z.union([z.boolean(), flag]) }),
  z.object({ type: z.literal("hand"), is_up: z.union([z.boolean(), flag]) }),
  // The host or an admin lowers this hand, or all hands.
  z.object({ type: z.literal("lower"), username: oneLine().max(100).optional() }),
  z.object({ type: z.literal("react"), reaction: z.enum(REACTIONS) }),
  z.object({ type: z.literal("reactions"), is_on: z.union([z.boolean(), flag]) }),
  // "Join the call" was pressed.
  z.object({ type: z.literal("call") }),
  z.object({ type: z.literal("typing") }),
  // The person has opened the message box; the room reserves a chat block.
  z.object({ type: z.literal("writing") }),
  // The page shows more people than the welcome brought; the room sends the whole roster. Spectators may ask too.
  z.object({ type: z.literal("people") }),
]);

/** `join` comes first. The login decides the identity; session and username are only compared with it. */
export type ClientMessage = z.output<typeof ClientMessageSchema>;

/**
 * The messages that a guest may send (H-19). A new message enters this table; without `true` it is FORBIDDEN to guests.
 */
const FOR_GUESTS: Readonly<Record<ClientMessage["type"], boolean>> = {
  join: true,
  message: true,
  ready: true,
  hand: true,
  lower: false,
  react: true,
  reactions: false,
  call: true,
  typing: true,
  writing: true,
  people: true,
};
export const mayGuestSend = ({ type }: ClientMessage): boolean => FOR_GUESTS[type];

/** The message, or null when it is invalid. */
export function readClientMessage(raw: string | ArrayBuffer): ClientMessage | null {
  if (typeof raw !== "string" || raw.length > MESSAGE_LIMIT) return null;
  try {
    return ClientMessageSchema.safeParse(JSON.parse(raw)).data ?? null;
  } catch {
    return null;
  }
}
