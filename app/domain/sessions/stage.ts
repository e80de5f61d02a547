// The stage: the screen of a session for a projector, broadcast software or a wall, the same for everybody (J-08, J-10).
// Pure.
import type { QrCode, SessionHead, ShownSession } from "./view";

/** `clear` has no background, for broadcast software. */
export const STAGE_LOOKS = ["dark", "light", "clear"] as const;
export type StageLook = (typeof STAGE_LOOKS)[number];

export const STAGE_PARTS = ["timer", "next", "line", "people", "qr"] as const;
export type StagePart = (typeof STAGE_PARTS)[number];

/** The parts that a list names, in the order of `STAGE_PARTS`. A list that names none means all. */
export function stagePartsOf(list: string | undefined): StagePart[] {
  const names = list?.split(",") ?? [];
  const parts = STAGE_PARTS.filter((part) => names.includes(part));
  return parts.length > 0 ? parts : [...STAGE_PARTS];
}

/** The session on a stage; null where a series has none at present. */
export type StageOfSession = Pick<SessionHead, "participants" | "mutes" | "line"> & {
  session: ShownSession;
  mayRead: boolean;
  /** The page of the session, without its code. */
  address: string;
  /** Null behind a view link, which opens no other page (J-10). */
  qr: QrCode | null;
};
/** The page behind a view link, whose code is in the fragment (J-10). */
export const VIEW_PATH = "/sessions/view/stage";
export const VIEW_LINK_ENDED = "This link shows no stage any more.";

export type StageView = {
  /** The title of the session, otherwise of the series. */
  title: string;
  stage: StageOfSession | null;
  /** Why there is no stage, unless the reason is that the series has no date. */
  rest?: string;
  /** Null follows the browser's preference. */
  look: StageLook | null;
  parts: StagePart[];
};

/** Removes the texts: a stage shows title, times, plan and people. */
export const sessionOnStage = (session: ShownSession): ShownSession => ({
  ...session,
  content: "",
  contentHtml: "",
  contributions: [],
  prompt: "",
  summary: "",
  donationLink: "",
  meetingLink: "",
  joinCode: "",
  ownerUsername: "",
  hostUsername: null,
  hostZone: null,
});

/** Removes the hut, the activity and the category too (J-10). */
export const sessionBehindLink = (session: ShownSession): ShownSession => ({
  ...sessionOnStage(session),
  slug: "",
  path: "",
  hut: null,
  activity: null,
  category: null,
});

type Hidden = { joinCode: string; isPrivate: boolean };
/** True if people without a seat see no stage, or a stage without names. */
export const isStageHidden = ({ joinCode, isPrivate }: Hidden): boolean => joinCode !== "" || isPrivate;

/** Whether the host's view link exists; `link` is its row. Null if the stage is visible without a link. */
export const viewLinkOf = (
  subject: Hidden,
  isHost: boolean,
  link: object | undefined,
): { isMade: boolean } | null => (isHost && isStageHidden(subject) ? { isMade: link !== undefined } : null);
