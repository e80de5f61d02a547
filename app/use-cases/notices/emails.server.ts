// The emails we send: pure functions from facts to subject, text and HTML. They escape every value.
import type { MailKind } from "~/domain/confirmation";
import { isolateRtl } from "~/domain/isolated";
import { foldLine, headerLine } from "~/domain/text-lines";
import type { Email } from "~/use-cases/ports.server";

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

type EmailContent = {
  kind: MailKind;
  to: string;
  appName: string;
  subject: string;
  /** The paragraphs contain the subject, so it is no heading above them. */
  isSubjectSaid?: boolean;
  paragraphs: string[];
  link?: { label: string; url: string };
  /** Why a notice came, and the page of its settings (N-29). */
  footer?: { because: string; settingsUrl: string };
};

function composeEmail({
  kind,
  to,
  appName,
  subject,
  isSubjectSaid,
  paragraphs,
  link,
  footer,
}: EmailContent): Email {
  const [first = "", ...otherParagraphs] = paragraphs;
  const text = [
    first,
    ...(link ? [`${link.label}:\n${link.url}`] : []),
    ...otherParagraphs,
    `— ${appName}`,
    ...(footer
      ? [`You get this because ${footer.because}. Change what we send you: ${footer.settingsUrl}`]
      : []),
  ].join("\n\n");
  const paragraphHtml = (content: string) =>
    `<p style="margin:0 0 16px;white-space:pre-line">${escapeHtml(content)}</p>`;
  const button = link
    ? `<p style="margin:24px 0"><a href="${escapeHtml(link.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#a8400c;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(link.label)}</a></p>` +
      `<p style="margin:0 0 16px;font-size:14px;color:#5d564d">Or open this address:<br><a href="${escapeHtml(link.url)}" style="color:#5d564d;word-break:break-all">${escapeHtml(link.url)}</a></p>`
    : "";
  const html =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>` +
    `<body style="margin:0;padding:24px;background:#f6f3ee;color:#211d18;font:16px/1.5 system-ui,sans-serif">` +
    `<div style="max-width:520px;margin:0 auto;padding:32px;border-radius:12px;background:#ffffff">` +
    (isSubjectSaid ? "" : `<h1 style="margin:0 0 16px;font-size:22px">${escapeHtml(subject)}</h1>`) +
    `${paragraphHtml(first)}${button}${otherParagraphs.map(paragraphHtml).join("")}` +
    `<p style="margin:24px 0 0;color:#5d564d">— ${escapeHtml(appName)}</p>` +
    (footer
      ? `<p style="margin:16px 0 0;font-size:14px;color:#5d564d">You get this because ${escapeHtml(footer.because)}. <a href="${escapeHtml(footer.settingsUrl)}" style="color:#5d564d">Change what we send you</a>.</p>`
      : "") +
    "</div></body></html>";
  return { kind, to: foldLine(to), subject: headerLine(subject), html, text };
}

type Facts = { to: string; appName: string; username: string };

export const passwordResetEmail = (facts: Facts & { url: string; minutes: number }): Email =>
  composeEmail({
    ...facts,
    kind: "reset",
    subject: `Choose a new password for ${facts.appName}`,
    link: { label: "Reset Password", url: facts.url },
    paragraphs: [
      `Hello ${facts.username}. Someone, hopefully you, asked to reset the password of your account.`,
      `The link works once and for ${facts.minutes} minutes.`,
      "If it was not you, you can ignore this email: your password stays the same.",
    ],
  });

export const passwordChangedEmail = (facts: Facts & { url: string }): Email =>
  composeEmail({
    ...facts,
    kind: "password-changed",
    subject: `Your ${facts.appName} password was changed`,
    link: { label: "Reset Password", url: facts.url },
    paragraphs: [
      `Hello ${facts.username}. The password of your account was changed just now. All other logins, the calendar address and all keys were ended.`,
      "If it was not you, please reset it at once with the link above.",
    ],
  });

type RestorableFacts = Facts & { what: string; url: string; days: number };
const ifItWasNotYou = ({ days }: RestorableFacts) =>
  `If it was not you, open the link within ${days} days: every login and key ends, and passkeys, second steps and calendar addresses of these days are removed. Then choose a new password.`;

/** `what` is a whole sentence: a second step, recovery codes or a passkey. */
export const signInChangedEmail = (facts: RestorableFacts): Email =>
  composeEmail({
    ...facts,
    kind: "sign-in-changed",
    subject: `How you sign in to ${facts.appName} was changed`,
    link: { label: "This wasn't me", url: facts.url },
    paragraphs: [`Hello ${facts.username}. ${facts.what}`, ifItWasNotYou(facts)],
  });

/** A calendar address opens the user's sessions without a login. */
export const calendarAddressEmail = (facts: RestorableFacts): Email =>
  composeEmail({
    ...facts,
    kind: "sign-in-changed",
    subject: `Your ${facts.appName} calendar address was changed`,
    link: { label: "This wasn't me", url: facts.url },
    paragraphs: [`Hello ${facts.username}. ${facts.what}`, ifItWasNotYou(facts)],
  });

export const confirmationEmail = (facts: Facts & { url: string; hours: number }): Email =>
  composeEmail({
    ...facts,
    kind: "confirmation",
    subject: `Confirm your email address for ${facts.appName}`,
    link: { label: "Confirm email address", url: facts.url },
    paragraphs: [
      `Hello ${facts.username}. Please confirm that this address is yours.`,
      `The link works once and for ${facts.hours} hours.`,
      "If you have no account with us, you can ignore this email.",
    ],
  });

export const emailChangedEmail = (facts: Facts & { newEmail: string; url: string; days: number }): Email =>
  composeEmail({
    ...facts,
    kind: "address-changed",
    subject: `Your ${facts.appName} email address was changed`,
    link: { label: "This wasn't me", url: facts.url },
    paragraphs: [
      `Hello ${facts.username}. The email address of your account is now ${facts.newEmail}. This address gets no more of our emails.`,
      `If it was not you, open the link within ${facts.days} days: your account gets this address back, and every login ends.`,
    ],
  });

export const addressRestoredEmail = (facts: Facts): Email =>
  composeEmail({
    ...facts,
    kind: "address-changed",
    subject: `Your ${facts.appName} email address was changed`,
    paragraphs: [
      `Hello ${facts.username}. The account got its former email address back, and every login was ended.`,
      "This address gets no more emails of this account.",
    ],
  });

export const deletionAskedEmail = (facts: Facts & { url: string; day: string }): Email =>
  composeEmail({
    ...facts,
    kind: "deletion",
    subject: `Your ${facts.appName} account will be deleted`,
    link: { label: "Keep my account", url: facts.url },
    paragraphs: [
      `Hello ${facts.username}. You asked us to delete your account. That will happen on ${facts.day}.`,
      "If you change your mind, or if it was not you, sign in before then: that alone keeps your account.",
    ],
  });

export const accountDeletedEmail = (facts: Facts): Email =>
  composeEmail({
    ...facts,
    kind: "deletion",
    subject: `Your ${facts.appName} account was deleted`,
    paragraphs: [
      `Goodbye ${facts.username}. Your account is deleted, and with it your goals, logs, notes and items.`,
      "This is our last email to you. You are welcome back at any time, with a new account.",
    ],
  });

const SUSPENSION_EFFECTS = [
  "All your logins were ended, and upcoming sessions that you host were cancelled with refunds.",
  "You can still sign in to download your data or to delete your account.",
];

export const suspensionEmail = (facts: Facts & { sentence: string }): Email =>
  composeEmail({
    ...facts,
    kind: "suspension",
    subject: `Your ${facts.appName} account is suspended`,
    paragraphs: [`Hello ${facts.username}. ${facts.sentence}`, ...SUSPENSION_EFFECTS],
  });

export const decisionEmail = (
  facts: Facts & {
    kind: "notice" | "suspension";
    sentence: string;
    reason: string;
    url: string;
    days: number;
  },
): Email =>
  composeEmail({
    ...facts,
    subject: `A decision about your ${facts.appName} account`,
    link: { label: "Appeal", url: facts.url },
    paragraphs: [
      `Hello ${facts.username}. ${facts.sentence} Reason: ${isolateRtl(facts.reason)}`,
      ...(facts.kind === "suspension" ? SUSPENSION_EFFECTS : []),
      `You can appeal once, within ${facts.days} days, with the link above. It shows what the decision is about.`,
    ],
  });

type NoticeFacts = Facts & { settingsUrl: string };

export const appealAnsweredEmail = (
  facts: NoticeFacts & {
    sentence: string;
    isGranted: boolean;
    reason: string;
    url: string;
    because: string;
  },
): Email =>
  composeEmail({
    ...facts,
    kind: "notice",
    subject: `Your ${facts.appName} appeal was ${facts.isGranted ? "granted" : "refused"}`,
    link: { label: "Open", url: facts.url },
    paragraphs: [
      `Hello ${facts.username}. This is about the decision: ${facts.sentence}`,
      `We read your appeal and ${facts.isGranted ? "granted" : "refused"} it. Reason: ${isolateRtl(facts.reason)}`,
    ],
    footer: facts,
  });

const datesOf = (series: string | null): string[] =>
  series === null ? [] : [`All dates of this series: ${series}`];

/**
 * The email of a notice: `text` is its sentence (N-29), `more` the paragraphs after it, `series` the URL of its series
 * (H-11).
 */
export const noticeEmail = (
  facts: NoticeFacts & {
    subject?: string | undefined;
    text: string;
    more?: readonly string[];
    url: string;
    series: string | null;
    because: string;
  },
): Email =>
  composeEmail({
    ...facts,
    kind: "notice",
    subject: facts.subject ?? facts.text.replace(/\.$/, ""),
    isSubjectSaid: true,
    link: { label: "Open", url: facts.url },
    paragraphs: [`Hello ${facts.username}. ${facts.text}`, ...(facts.more ?? []), ...datesOf(facts.series)],
    footer: facts,
  });

const restSentence = (rest: number, isAfterLines: boolean): string =>
  `${isAfterLines ? `${rest} more` : rest} ${rest === 1 ? "event is" : "events are"} in your notices.`;

/** The notices since the last digest in one email (N-17). `rest`: how many have no line. */
export const digestEmail = (
  facts: NoticeFacts & {
    lines: { text: string; url: string; series: string | null }[];
    rest: number;
    url: string;
  },
): Email =>
  composeEmail({
    ...facts,
    kind: "notice",
    subject: `Your ${facts.appName} notices`,
    link: { label: "Open your notices", url: facts.url },
    paragraphs: [
      `Hello ${facts.username}. This is new since the last digest.`,
      ...facts.lines.map(({ text, url, series }) => [text, url, ...datesOf(series)].join(" ")),
      ...(facts.rest > 0 ? [restSentence(facts.rest, facts.lines.length > 0)] : []),
    ],
    footer: { because: "you chose a digest", settingsUrl: facts.settingsUrl },
  });
