// The objects of the Stripe stand-in: what it stores, how the API shows them, and the events about them.

/** Seconds. */
export const DAY = 86_400;
export const HOUR = 3_600;

export type CardBehaviour = "pays" | "declines" | "asks";
export type Fields = Record<string, unknown>;
export type StripeObject = Fields & { id: string; object: string };
export type StripeEvent = {
  id: string;
  object: "event";
  type: string;
  created: number;
  data: { object: Fields };
};
export type Params = { [name: string]: string | Params };
export type Method = StripeObject & { customer: string | null; behaviour: CardBehaviour; wasUsed: boolean };
export type Intent = StripeObject & {
  status: string;
  amount: number;
  amount_received: number;
  customer: string | null;
  client_secret: string;
  payment_method: string | null;
  latest_charge: string | null;
  invoice: string | null;
};
export type Charge = StripeObject & { amount: number; amount_refunded: number; disputed: boolean };
export type Invoice = StripeObject & {
  status: "draft" | "open" | "paid" | "void" | "uncollectible";
  amount_due: number;
  subscription: string;
  payment_intent: string | null;
  lines: Line[];
  attempts: number;
  nextAttempt: number | null;
};
export type Line = { amount: number; isProration: boolean; start: number; end: number; price: string };
export type Subscription = StripeObject & {
  status: string;
  customer: string;
  price: string;
  item: string;
  start: number;
  end: number;
  cancel_at_period_end: boolean;
  default_payment_method: string | null;
  latest_invoice: string;
  savesMethod: boolean;
  created: number;
  pending: { price: string; invoice: string; expiresAt: number } | null;
  metadata: Record<string, string>;
};

export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly error: { type: string; message: string; code?: string; param?: string },
  ) {
    super(error.message);
  }
}
export const bad = (message: string, more: { code?: string; param?: string } = {}) =>
  new Refusal(400, { type: "invalid_request_error", message, ...more });
export const missing = (what: string, id: string, param = "id") =>
  new Refusal(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    param,
    message: `No such ${what}: '${id}'`,
  });
export const declined = () =>
  new Refusal(402, { type: "card_error", code: "card_declined", message: "Your card was declined." });

let accounts = 0;

export class StripeObjects {
  /** Epoch seconds. */
  now: number;
  readonly events: StripeEvent[] = [];
  protected readonly objects = new Map<string, StripeObject>();
  protected count = 0;
  /** Ids of two accounts never collide. */
  protected readonly account = ++accounts;

  constructor(now: number) {
    this.now = Math.floor(now / 1000);
  }

  read(id: string): StripeObject | undefined {
    return this.objects.get(id);
  }

  protected newId(prefix: string): string {
    return `${prefix}_${this.account}x${++this.count}`;
  }

  protected add<T extends StripeObject>(prefix: string, object: string, fields: Fields): T {
    const id = this.newId(prefix);
    const made = { id, object, created: this.now, ...fields } as unknown as T;
    this.objects.set(id, made);
    return made;
  }
  protected addIntent(amount: number, customer: string, invoice: string | null, fields: Fields): Intent {
    const intent = this.add<Intent>("pi", "payment_intent", {
      ...fields,
      amount,
      amount_received: 0,
      customer,
      status: "requires_payment_method",
      payment_method: null,
      latest_charge: null,
      invoice,
    });
    intent.client_secret = `${intent.id}_secret_${this.count}`;
    return intent;
  }
  protected need<T extends StripeObject>(object: string, id: string, param = "id"): T {
    const found = this.objects.get(id);
    if (found?.object !== object) throw missing(object, id, param);
    return found as T;
  }
  protected list<T extends StripeObject>(object: string, isWanted: (one: T) => boolean) {
    const data = [...this.objects.values()]
      .filter((one) => one.object === object && isWanted(one as T))
      .reverse();
    return { object: "list", has_more: false, data: data as T[] };
  }
  protected attach(method: Method, customer: string): void {
    if (method.customer !== null && method.customer !== customer)
      throw bad("The payment method you provided has already been attached to a customer.");
    if (method.customer === null && method.wasUsed)
      throw bad(
        "This PaymentMethod was previously used without being attached to a Customer and may not be used again.",
        {
          param: "payment_method",
        },
      );
    method.customer = customer;
  }
  protected methodOf(subscription: Subscription): Method | null {
    const customer = this.need("customer", subscription.customer);
    const id = subscription.default_payment_method ?? customer.defaultMethod;
    return typeof id === "string" ? this.need<Method>("payment_method", id) : null;
  }
  protected chargeOf(paymentIntent: string): Charge {
    const { latest_charge } = this.need<Intent>("payment_intent", paymentIntent);
    return this.need<Charge>("charge", latest_charge ?? "", "charge");
  }
  protected priceOf(params: Params, item?: string): StripeObject {
    const items = Object.values((params.items ?? {}) as Record<string, Record<string, string>>);
    const [first] = items;
    if (!first || items.length !== 1) throw bad("Missing required param: items.", { param: "items" });
    if (item !== undefined && first.id !== item)
      throw bad("The same price may not be on a subscription twice; name the item to change.", {
        param: "items",
      });
    return this.need("price", String(first.price), "items[0][price]");
  }
  protected shown(subscription: Subscription): Fields {
    const price = this.need("price", subscription.price);
    return {
      id: subscription.id,
      object: "subscription",
      customer: subscription.customer,
      status: subscription.status,
      cancel_at_period_end: subscription.cancel_at_period_end,
      metadata: subscription.metadata,
      default_payment_method: subscription.default_payment_method,
      latest_invoice: subscription.latest_invoice,
      pending_setup_intent: null,
      pending_update: subscription.pending && { expires_at: subscription.pending.expiresAt },
      items: {
        object: "list",
        data: [
          {
            id: subscription.item,
            price,
            current_period_start: subscription.start,
            current_period_end: subscription.end,
          },
        ],
      },
    };
  }
  protected shownInvoice(id: string, withSecret: boolean): Fields {
    const invoice = this.need<Invoice>("invoice", id);
    const intent = this.need<Intent>("payment_intent", invoice.payment_intent ?? "");
    return {
      id,
      object: "invoice",
      status: invoice.status,
      amount_due: invoice.amount_due,
      parent: {
        type: "subscription_details",
        subscription_details: { subscription: invoice.subscription, metadata: {} },
      },
      lines: {
        object: "list",
        data: invoice.lines.map((line, i) => ({
          id: `il_${id}_${i}`,
          object: "line_item",
          amount: line.amount,
          period: { start: line.start, end: line.end },
          parent: {
            type: "subscription_item_details",
            subscription_item_details: { proration: line.isProration, subscription: invoice.subscription },
          },
        })),
      },
      // A draft has no payment yet.
      ...(withSecret && invoice.status !== "draft"
        ? { confirmation_secret: { client_secret: intent.client_secret, type: "payment_intent" } }
        : {}),
    };
  }

  protected emit(type: string, about: StripeObject): void {
    const object =
      about.object === "subscription"
        ? this.shown(about as Subscription)
        : about.object === "invoice"
          ? this.shownInvoice(about.id, false)
          : about;
    const id = this.newId("evt");
    this.events.push({
      id,
      object: "event",
      type,
      created: this.now,
      data: { object: structuredClone(object) },
    });
  }
}

export const isOver = ({ status }: Subscription): boolean =>
  status === "canceled" || status === "incomplete_expired";
