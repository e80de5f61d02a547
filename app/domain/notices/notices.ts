// The kinds of notices with their channels and defaults (N-13). Pure; browsers load this file.
export const CHANNELS = ["app", "mail", "push"] as const;
export type Channel = (typeof CHANNELS)[number];
/** Channels that leave Bothy, as rows of `deliveries`. */
export type SentChannel = Exclude<Channel, "app">;

/** A channel's default; null where the kind has no such channel. */
type Default = boolean | null;
type Kind = {
  label: string;
  app: Default;
  mail: Default;
  push: Default;
  /** A digest replaces the single emails of this kind (N-17). */
  isDigested: boolean;
  /** Nobody can switch it off. */
  isFixed?: true;
};

export const NOTICE_KINDS = {
  "session-reminder": {
    label: "A session begins soon",
    app: true,
    mail: true,
    push: true,
    isDigested: false,
  },
  "session-changed": {
    label: "A session moved or was cancelled",
    app: true,
    mail: true,
    push: true,
    isDigested: false,
  },
  "session-started": {
    label: "A host started a session by hand",
    app: true,
    mail: null,
    push: true,
    isDigested: false,
  },
  seat: { label: "A seat for you", app: true, mail: true, push: true, isDigested: false },
  reply: { label: "A reply to your post", app: true, mail: false, push: true, isDigested: true },
  mention: { label: "Somebody mentions you", app: true, mail: false, push: true, isDigested: true },
  calendar: { label: "Calendar invitations", app: null, mail: true, push: null, isDigested: false },
  "host-message": {
    label: "A message from the host",
    app: true,
    mail: true,
    push: false,
    isDigested: true,
  },
  "hut-session": { label: "A new session in a hut", app: true, mail: false, push: false, isDigested: true },
  "hut-member": {
    label: "Somebody came in by a link of your hut",
    app: true,
    mail: null,
    push: null,
    isDigested: false,
  },
  "goal-reminder": { label: "A goal's reminder", app: true, mail: false, push: true, isDigested: false },
  "still-open": {
    label: "Goals that are still open, at a time of yours",
    app: false,
    mail: false,
    push: false,
    isDigested: false,
  },
  series: { label: "A series changed", app: true, mail: true, push: false, isDigested: false },
  recap: { label: "The recap of a session", app: true, mail: true, push: false, isDigested: true },
  moderation: {
    label: "Moderation and security",
    app: true,
    mail: true,
    push: null,
    isDigested: false,
    isFixed: true,
  },
} as const satisfies Record<string, Kind>;
export type NoticeKind = keyof typeof NOTICE_KINDS;
export const isNoticeKind = (text: string): text is NoticeKind => Object.hasOwn(NOTICE_KINDS, text);
export const FIXED_KIND = "Security emails cannot be switched off.";
export const kindRule = (kind: NoticeKind): Kind => NOTICE_KINDS[kind];

/** Minutes before the start at which a reminder may go out (N-18). */
export const LEADS = [10, 60, 1440] as const;
export type Lead = (typeof LEADS)[number];
const DEFAULT_LEADS: Record<Channel, Lead> = { app: 10, mail: 60, push: 10 };

/**
 * Values that differ from the defaults, by `kind:channel`. 0 is off and 1 is on; for a session reminder the value is
 * its lead in minutes, and for "still open" the minute of the day plus 1.
 */
export type Differences = Partial<Record<`${NoticeKind}:${Channel}`, number>>;

/** The value of a kind on a channel, 0 for off. */
export function settingOf(differences: Differences, kind: NoticeKind, channel: Channel): number {
  const byDefault = kindRule(kind)[channel];
  if (byDefault === null) return 0;
  if (kindRule(kind).isFixed) return 1;
  const value = differences[`${kind}:${channel}`] ?? (byDefault ? 1 : 0);
  return kind === "session-reminder" && value === 1 ? DEFAULT_LEADS[channel] : value;
}

export const DIGESTS = ["off", "daily", "weekly"] as const;
export type Digest = (typeof DIGESTS)[number];

/** True if a setting of this kind may have this value. */
export const isSettingValue = (kind: NoticeKind, value: number): boolean =>
  value === 0 ||
  (kind === "session-reminder"
    ? LEADS.some((lead) => lead === value)
    : kind === "still-open"
      ? Number.isInteger(value) && value > 0 && value <= 24 * 60
      : value === 1);
