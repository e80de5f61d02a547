// The data of the public page of a series (H-09). Pure types.
import type { ShownSeries } from "~/domain/series/view";
import type { Instant } from "~/domain/time";
import type { SeatTerms } from "./leaving";
import type { Paged, SessionCard, ShownPost } from "./view";

/** A date of the public page of a series (H-09). */
export type PlaceDate = {
  /** Null for a session that waits for its host. */
  at: Instant | null;
  state: "laid" | "planned" | "skipped" | "cancelled";
  isMoved: boolean;
  session: PlaceSession | null;
};
/** A session that the viewer sees, with the viewer's seat. */
export type PlaceSession = Pick<
  SessionCard,
  | "id"
  | "path"
  | "status"
  | "participantsCount"
  | "participantLimit"
  | "spotsLeft"
  | "needsCode"
  | "isFree"
  | "isJoined"
  | "canJoin"
> & {
  /** Null where no host is shown to the viewer. */
  host: string | null;
  /** A visitor may sit in as a guest (H-18). */
  takesGuests: boolean;
  /** The terms of a seat that its holder may give up; null for hosts, and without a seat. */
  seatTerms: SeatTerms | null;
};
/** A post of the thread, with its session (H-12). */
export type PlacePost = ShownPost & {
  session: { path: string; startedAt: Instant | null };
  mayReply: boolean;
};

/** The public page of a series (H-09). */
export type SeriesPlace = Paged & {
  series: Pick<
    ShownSeries,
    | "id"
    | "path"
    | "address"
    | "title"
    | "ruleText"
    | "timeZone"
    | "isMine"
    | "isPaused"
    | "hasEnded"
    | "needsCode"
    | "isFree"
    | "standingSince"
    | "codeExpiresAt"
  >;
  hut: { id: number; slug: string; title: string } | null;
  contentHtml: string;
  hosts: string[];
  dates: PlaceDate[];
  /** The session that `next` opens. */
  next: PlaceSession | null;
  /** The recaps of sessions in which the viewer had a seat, newest first. */
  recaps: { session: number; path: string; title: string; startedAt: Instant | null }[];
  posts: PlacePost[];
  me: {
    isSignedIn: boolean;
    /** True if the viewer may take a standing seat. */
    canStand: boolean;
    mayPost: boolean;
    /** The sentence to a person who is kept out. */
    closed: string | null;
    /** Why a person with a seat may not write. */
    refusal: string | null;
  };
  now: Instant;
};
