// The lines of a session's chat, and how fast a person may write them.
import type { Instant } from "~/domain/time";

/** Minimum seconds between two lines of a person. */
export const SLOW_MODES = [0, 5, 15, 60] as const;
export type SlowMode = (typeof SLOW_MODES)[number];

/** A chat line as the room stores it. A removed line keeps its number without its text. */
export type RoomMessage = {
  seq: number;
  username: string;
  content: string;
  createdAt: Instant;
  nonce: string;
  editedAt: Instant | null;
  isRemoved: boolean;
};

/** A message with its author's id, which stays on the server. */
export type AuthoredMessage = RoomMessage & { userId: number };
export const withoutAuthor = ({ userId: _, ...message }: AuthoredMessage): RoomMessage => message;

/** A line that the host shows on all screens (J-12). */
export type HostLine = {
  /** The number of its line in the chat, where it is reported and removed. */
  seq: number;
  userId: number;
  content: string;
  /** Shown until this part ends; null: as long as the session lasts. */
  partId: string | null;
};
