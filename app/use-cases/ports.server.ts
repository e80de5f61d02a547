// The ports: what the application needs of the outside. workers/adapters has the real ones and their local stand-ins.
import type { RoomChange, RoomView } from "~/domain/room";
import type { MailKind } from "~/domain/safety";
import type { Instant } from "~/domain/time";

/** A session's room, by typed RPC. Every call is idempotent. `actor` names who asks; the room decides if they may. */
export type Room = {
  /** What stands in D1 has changed (plan, roster, texts): read it again and tell everybody. */
  refresh(): Promise<void>;
  /** Applies a change; a refusal is thrown as AppError. */
  change(change: RoomChange): Promise<RoomView>;
  view(): Promise<RoomView>;
  /** Chat, oldest first, at most `limit` before `before` (a seq). */
  messages(page: { before?: number; limit: number }): Promise<RoomView["messages"]>;
  /** Closes the sockets that these logins opened; each is a hash of a login's token. */
  endLogins(loginHashes: string[]): Promise<void>;
};
export type Rooms = {
  /** Asking a room makes it, so the caller knows from the record that the session exists, or from `hasOpened`. */
  of(sessionId: number): Room;
  /** Whether this process has reached the room before: its session exists, or did. */
  hasOpened(sessionId: number): boolean;
};

export type Email = { kind: MailKind; to: string; subject: string; html: string; text: string };
export type Mail = { send(message: Email): Promise<void> };

export type RenderedText = { content: string; contentHtml: string; summary: string };
/** Markdown to sanitised HTML and plain text (D-01). */
export type RichText = { render(markdown: string): Promise<RenderedText> };

export type Uploads = {
  put(image: { key: string; type: string; bytes: ArrayBuffer }): Promise<void>;
  get(key: string): Promise<{ body: ReadableStream; type: string; etag: string } | null>;
  delete(keys: string[]): Promise<void>;
  /** Those whose key comes after this one, in their order, at most `limit`. */
  list(after: string, limit: number): Promise<{ key: string; storedAt: Instant }[]>;
};

/** Makes a summary; `stream` yields it in pieces while it is made. */
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
  /** Chosen when the intent was made: the tokens go to the shared pool. */
  toPool: boolean;
  /** True for intents of token purchases, false for those of subscriptions' invoices. */
  isPurchase: boolean;
  reversals: Reversal[];
  /** The subscription's period that a reversed payment paid for; null while nothing is reversed. */
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
  /** While the first payment or a set-up still needs the card holder. */
  clientSecret: string | null;
  secretType: "payment" | "setup" | null;
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
  /** The card holder's yes to a card that asks. */
  isConfirmed: boolean;
};
export type Confirmed = { kind: "payment" | "setup"; id: string; status: string; method: string };

/** The card provider: Stripe, or the built-in practice provider where no keys are set (B-20). `key`: idempotency. */
export type Payments = {
  isPractice: boolean;
  publishableKey: string;
  /** What the practice provider's card form does with a client secret; null where keys are set. */
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
  /** Ends it at once, nothing returned: a deleted account. */
  endSubscription(subscription: string): Promise<void>;
  /** Verifies the signature on the raw body; null when it does not hold, or when no secret is set. */
  readEvent(rawBody: string, signature: string): Promise<ProviderEvent | null>;
  /** The provider's events since then, oldest first: what no webhook delivered is found here. */
  listEvents(since: Instant): Promise<ProviderEvent[]>;
};
