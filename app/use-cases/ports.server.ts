// The ports: interfaces to the outside. workers/adapters contains their implementations and local stand-ins.

import type { CalendarEntry } from "~/domain/calendar";
import type { MailKind } from "~/domain/confirmation";
import type { PushButtons } from "~/domain/goals/reminder-buttons";
import type { ChatCopy } from "~/domain/room/chat-copy";
import type { RoomChange, RoomView } from "~/domain/room/room";
import type { RoomMessage } from "~/domain/sessions/chat";
import type { Instant } from "~/domain/time";

/**
 * A session's room, by typed RPC. Every call is idempotent. `actor` is the asking user; the room checks permissions.
 */
export type Room = {
  /** D1 has changed (plan, roster, texts): the room reads it again and broadcasts. */
  refresh(): Promise<void>;
  /** Applies a change; a refusal is thrown as AppError. */
  change(change: RoomChange): Promise<RoomView>;
  view(): Promise<RoomView>;
  /** Chat, oldest first, at most `limit` before `before` (a seq). */
  messages(page: { before?: number; limit: number }): Promise<RoomView["messages"]>;
  /** Chat lines of this author that have a text, after a number, in ascending order. */
  linesOf(page: { userId: number; after: number; limit: number }): Promise<RoomMessage[]>;
  /** The number of chat lines of this guest, removed ones too, and of their deleted logs that stay paid (H-20). */
  writtenBy(userId: number): Promise<number>;
  /** Corrects the logs of the room's history that have a mark in D1. Idempotent. */
  followLogs(): Promise<void>;
  /** Erases the texts of a deleted account and renames it. Idempotent. */
  eraseAuthor(author: { userId: number; username: string }): Promise<void>;
  /** Copies the chat lines that the room's copy lacks. Idempotent. */
  copyChat(): Promise<void>;
  /** Closes the sockets of these logins; each is the hash of a login's token. */
  endLogins(loginHashes: string[]): Promise<void>;
  /**
   * Closes the sockets of spectators, or of view links. Those that still have the right reconnect at once (R-56, J-10).
   */
  closeSpectators(which?: "isLinked"): Promise<void>;
};
export type Rooms = {
  /** Calling a room creates it, so the caller must know that the session exists, from the record or `hasOpened`. */
  of(sessionId: number): Room;
  /** True if this process has called the room before: its session exists, or existed. */
  hasOpened(sessionId: number): boolean;
};

/** `content` is text. */
type EmailAttachment = { filename: string; type: string; content: string };
export type Email = {
  kind: MailKind;
  to: string;
  subject: string;
  html: string;
  text: string;
  headers?: Record<string, string>;
  attachments?: EmailAttachment[];
  /** Stable across repeats of one delivery: `X-Entity-Ref-ID` carries it (N-33). */
  key?: string;
};

/**
 * Why an email was not sent: `address` if the receiving server refused this address for good, `unset` on a deployed
 * run without mail (N-32), otherwise `failed`.
 */
export class MailFailure extends Error {
  override name = "MailFailure";
  constructor(
    readonly reason: "address" | "unset" | "failed",
    message: string,
  ) {
    super(message);
  }
}
/** A refusal is a `MailFailure`. */
export type Mail = { send(message: Email): Promise<void> };

/** A push to every browser in which the user turned notifications on. After `expiresAt` nobody needs it. */
export type PushMessage = {
  userId: number;
  key: string;
  title: string;
  text: string;
  url: string;
  /** The URL of all dates of its series (H-11). */
  series: string | null;
  expiresAt: Instant | null;
  press?: PushButtons;
};
type PushBrowser = { endpoint: string; p256dh: string; auth: string };
/** `gone`: the push service has ended the address. `later`: it asks for another try, or did not answer. */
type PushResult = "sent" | "gone" | "later" | "refused";
/** `ttl` in seconds; `key` is that of the delivery, from which the topic comes (N-39). */
export type Push = {
  publicKey: string;
  post(browser: PushBrowser, push: { payload: string; ttl: number; key: string }): Promise<PushResult>;
};

/** Wakes the consumer for events and deliveries. Every id may come twice, and a lost one waits for the minute cron. */
export type Jobs = { wake(ids: readonly string[]): Promise<void> };

/** Encrypts secrets that the database stores. `about` names the place of a text: under another name it opens as null. */
export type Vault = {
  seal(text: string, about: string): Promise<string>;
  open(sealed: string, about: string): Promise<string | null>;
  /** A signature of this text in base64url; `verify` accepts it under the present key and the older ones. */
  sign(text: string): Promise<string>;
  verify(text: string, signature: string): Promise<boolean>;
  /** The signatures of a text under every key, the present one first. */
  signatures(text: string): Promise<string[]>;
  /** The start of every text that the present key sealed. Texts of older keys begin otherwise. */
  mark: Promise<string>;
};

/** A participant's right to open the socket of a session, beside the cookie of this login. */
export type RoomTicket = {
  sessionId: number;
  userId: number;
  username: string;
  timeZone: string;
  loginHash: string;
};
/** Signs the ticket of a page; the worker verifies it at the upgrade (decision 45). */
export type Tickets = { issue(ticket: RoomTicket, now: Instant): Promise<string> };

export type RenderedText = { content: string; contentHtml: string; summary: string };
/** Markdown to sanitised HTML and plain text (D-01). */
export type RichText = {
  render(markdown: string): Promise<RenderedText>;
  /** The text, and the names that it mentions outside code and quotes (N-26). */
  renderPost(markdown: string): Promise<{ text: RenderedText; mentions: string[] }>;
};

/**
 * Writes entries as one iCalendar file. An invitation or its removal names the sending address under the host's name
 * as organizer, and the recipient as the only attendee (F-20).
 */
export type Calendar = {
  write(
    entries: readonly CalendarEntry[],
    options:
      | { name: string; method: "PUBLISH" }
      | { name: string; method: "REQUEST" | "CANCEL"; people: { host: string; attendee: string } },
  ): Promise<string>;
};

export type Uploads = {
  put(image: { key: string; type: string; bytes: Uint8Array }): Promise<void>;
  get(key: string): Promise<{ body: ReadableStream; type: string; etag: string } | null>;
  delete(keys: string[]): Promise<void>;
  /** Keys after this one, in order, at most `limit`. */
  list(after: string, limit: number): Promise<{ key: string; storedAt: Instant }[]>;
};

/** Copies that a restore needs besides D1: the chat of each room, and the deleted accounts. */
export type Copies = {
  putChat(copy: ChatCopy): Promise<void>;
  /** Null for a room that has never copied its chat. */
  getChat(sessionId: number): Promise<ChatCopy | null>;
  deleteChat(sessionId: number): Promise<void>;
  /** Notes that the account was deleted, so that a restore from before deletes it again. */
  noteDeletion(account: { id: number; createdAt: Instant }): Promise<void>;
};

/** Creates a summary; `stream` yields it in pieces. */
export type Summariser = {
  summarise(text: { title: string; content: string }): Promise<string>;
  stream(text: { title: string; content: string }): AsyncIterable<string>;
};

export type Card = { id: string; brand: string; last4: string };
export type IntentStatus =
  | "requires_payment_method"
  | "requires_confirmation"
  | "requires_action"
  | "processing"
  | "succeeded"
  | "canceled";
/** A refund or dispute of a payment. `isUndone`: the refund failed, or the dispute was won. */
export type Reversal = { id: string; cents: number; isUndone: boolean };
export type PaymentIntent = {
  id: string;
  clientSecret: string;
  status: IntentStatus;
  cents: number;
  currency: string;
  customer: string | null;
  /** The buyer chose to give the tokens to the shared pool. */
  toPool: boolean;
  /** True for intents of token purchases, false for invoices of subscriptions. */
  isPurchase: boolean;
  reversals: Reversal[];
  /** The subscription period that a reversed payment paid for; null without a reversal. */
  period: { subscription: string; start: Instant } | null;
};
export type ProviderSubscription = {
  id: string;
  customer: string;
  product: "goals_sub" | "goals_sessions_sub";
  /** incomplete, active, past_due, canceled, unpaid, incomplete_expired … */
  status: string;
  periodStart: Instant;
  periodEnd: Instant;
  cancelAtPeriodEnd: boolean;
  /** The invoice of the current period is paid. */
  isPeriodPaid: boolean;
  /** The newest invoice was voided or marked as uncollectible, so that nobody has to pay it. */
  isGivenUp: boolean;
  /** Set while the first payment or a set-up still requires the card holder. */
  clientSecret: string | null;
  secretType: "payment" | "setup" | null;
  /** The key of the order that made it, where the provider has kept it. */
  orderKey?: string | undefined;
};
export type ProviderEvent = {
  id: string;
  type: string;
  createdAt: Instant;
  subscription: string | null;
  paymentIntent: string | null;
};

export type PracticeCard = { number: string; expMonth: number; expYear: number; cvc: string };
export type PracticeConfirmation = {
  clientSecret: string;
  /** A new card, or the id of a saved one. */
  card: PracticeCard | null;
  method: string | null;
  save: boolean;
  /** The card holder confirmed a card that requires it. */
  isConfirmed: boolean;
};
export type Confirmed = { kind: "payment" | "setup"; id: string; status: string; method: string };

/** The payment provider: Stripe, or the built-in practice provider without keys (B-20). `key`: idempotency. */
export type Payments = {
  isPractice: boolean;
  /** This site has no provider: nothing can be bought. */
  isUnavailable?: true;
  publishableKey: string;
  /** The practice provider's confirmation of a client secret; null with keys. */
  confirm: ((customer: string, input: PracticeConfirmation) => Promise<Confirmed>) | null;
  createCustomer(user: { id: number; email: string }): Promise<string>;
  createPaymentIntent(order: {
    customer: string;
    cents: number;
    toPool: boolean;
    key: string;
  }): Promise<PaymentIntent>;
  getPaymentIntent(id: string): Promise<PaymentIntent | null>;
  attachMethod(order: { customer: string; method: string }): Promise<Card>;
  listMethods(customer: string): Promise<Card[]>;
  createSubscription(order: {
    customer: string;
    product: ProviderSubscription["product"];
    method: string | null;
    key: string;
  }): Promise<ProviderSubscription>;
  getSubscription(id: string): Promise<ProviderSubscription | null>;
  /** `now`: a new period begins and the rest of the old one is credited; `period-end`: the next invoice's price. */
  changeProduct(order: {
    subscription: string;
    product: ProviderSubscription["product"];
    at: "now" | "period-end";
    key: string;
  }): Promise<ProviderSubscription>;
  setCancelAtPeriodEnd(subscription: string, cancel: boolean): Promise<ProviderSubscription>;
  /**
   * Ends the subscription at once, without a refund. Its unpaid invoices can no longer be charged. CONFLICT while a payment
   * of one is under way, with `onlyUnpaid` also once one is paid; the subscription then goes on.
   */
  endSubscription(subscription: string, options?: { onlyUnpaid?: boolean }): Promise<void>;
  /** Verifies the signature on the raw body; null if it is wrong, or without a secret. */
  readEvent(rawBody: string, signature: string): Promise<ProviderEvent | null>;
  /** The provider's events since an instant, oldest first, including those that no webhook delivered. */
  listEvents(since: Instant): Promise<ProviderEvent[]>;
};
