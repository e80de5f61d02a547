// A local stand-in for Stripe that the real library calls: objects with state, its own clock, signed events. It is as
// strict as Stripe about idempotency keys, unknown parameters and state transitions.

const DAY = 86_400;
const HOUR = 3_600;
/** Stripe retries a failed renewal after these numbers of days, then cancels. */
const RETRIES = [3, 5, 7];

export type CardBehaviour = "pays" | "declines" | "asks";
type Fields = Record<string, unknown>;
export type StripeObject = Fields & { id: string; object: string };
export type StripeEvent = {
  id: string;
  object: "event";
  type: string;
  created: number;
  data: { object: Fields };
};
type Params = { [name: string]: string | Params };
type Method = StripeObject & { customer: string | null; behaviour: CardBehaviour; wasUsed: boolean };
type Intent = StripeObject & {
  status: string;
  amount: number;
  amount_received: number;
  customer: string | null;
  client_secret: string;
  payment_method: string | null;
  latest_charge: string | null;
  invoice: string | null;
};
type Charge = StripeObject & { amount: number; amount_refunded: number; disputed: boolean };
type Invoice = StripeObject & {
  status: "draft" | "open" | "paid" | "void";
  amount_due: number;
  subscription: string;
  payment_intent: string | null;
  lines: Line[];
  attempts: number;
  nextAttempt: number | null;
};
type Line = { amount: number; isProration: boolean; start: number; end: number; price: string };
type Subscription = StripeObject & {
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
};

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly error: { type: string; message: string; code?: string; param?: string },
  ) {
    super(error.message);
  }
}
const bad = (message: string, more: { code?: string; param?: string } = {}) =>
  new Refusal(400, { type: "invalid_request_error", message, ...more });
const missing = (what: string, id: string, param = "id") =>
  new Refusal(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    param,
    message: `No such ${what}: '${id}'`,
  });
const declined = () =>
  new Refusal(402, { type: "card_error", code: "card_declined", message: "Your card was declined." });

/** `a[b][0]=x` as nested records. */
function nested(query: URLSearchParams): Params {
  const params: Params = {};
  for (const [name, value] of query) {
    const path = name.split(/[[\]]+/).filter((part, i) => i === 0 || part !== "");
    let at = params;
    for (const part of path.slice(0, -1)) {
      at[part] ??= {};
      at = at[part] as Params;
    }
    at[path.at(-1) ?? ""] = value;
  }
  return params;
}

type Handler = { takes: string[]; run(params: Params, id: string): Fields };

let accounts = 0;

export class StripeStandIn {
  /** Epoch seconds. */
  now: number;
  readonly events: StripeEvent[] = [];
  readonly asked: { method: string; path: string; key: string | null }[] = [];
  /** Makes the next calls fail: they get this answer instead. */
  interrupt: ((method: string, path: string) => Response | Promise<Response> | null) | null = null;
  readonly #objects = new Map<string, StripeObject>();
  readonly #keys = new Map<string, { request: string; status: number; body: string; at: number }>();
  #count = 0;
  /** Ids of two accounts never collide. */
  readonly #account = ++accounts;

  constructor(now: number) {
    this.now = Math.floor(now / 1000);
  }

  // ---- the API

  readonly fetch = (async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const key = request.headers.get("Idempotency-Key");
    const text = request.method === "GET" ? url.search : await request.text();
    this.asked.push({ method: request.method, path: url.pathname, key });
    const interrupted = await this.interrupt?.(request.method, url.pathname);
    if (interrupted) return interrupted;
    const { status, body } = this.#answer(request.method, url.pathname, text, key);
    return new Response(body, { status, headers: { "Content-Type": "application/json" } });
  }) as typeof fetch;

  #answer(method: string, path: string, text: string, key: string | null) {
    // Only writes have keys. A key lives for 24 hours with its parameters, even after a failed request.
    const request = `${method} ${path}?${text}`;
    const kept = key && method === "POST" ? this.#keys.get(key) : undefined;
    if (kept && kept.at > this.now - DAY) {
      if (kept.request === request) return kept;
      const message = `Keys for idempotent requests can only be used with the same parameters they were first used with.`;
      return { status: 400, body: JSON.stringify({ error: { type: "idempotency_error", message } }) };
    }
    let answer: { status: number; body: string };
    try {
      answer = { status: 200, body: JSON.stringify(this.#route(method, path, text)) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answer = { status: error.status, body: JSON.stringify({ error: error.error }) };
    }
    if (key && method === "POST") this.#keys.set(key, { request, ...answer, at: this.now });
    return answer;
  }

  #route(method: string, path: string, text: string): Fields {
    const params = nested(new URLSearchParams(text));
    for (const [pattern, handler] of Object.entries(this.#handlers)) {
      const [verb, template = ""] = pattern.split(" ");
      const found = new RegExp(`^${template.replace("{id}", "(\\w+)")}$`).exec(path);
      if (verb !== method || !found) continue;
      for (const name of Object.keys(params))
        if (!handler.takes.includes(name) && name !== "expand")
          throw bad(`Received unknown parameter: ${name}`, { code: "parameter_unknown", param: name });
      const expand = Object.values((params.expand ?? {}) as Record<string, string>);
      return this.#expanded(handler.run(params, found[1] ?? ""), expand);
    }
    throw new Refusal(404, {
      type: "invalid_request_error",
      message: `Unrecognized request URL (${method}: ${path}).`,
    });
  }

  readonly #handlers: Record<string, Handler> = {
    "POST /v1/customers": {
      takes: ["email", "metadata"],
      run: ({ email, metadata }) =>
        this.#add("cus", "customer", { email, metadata: metadata ?? {}, defaultMethod: null }),
    },
    "POST /v1/customers/{id}": {
      takes: ["invoice_settings", "email", "metadata"],
      run: ({ invoice_settings }, id) => {
        const customer = this.#need("customer", id);
        const method = (invoice_settings as Params | undefined)?.default_payment_method;
        if (typeof method === "string") {
          if (this.#need<Method>("payment_method", method).customer !== id)
            throw bad("The customer does not have a payment method with this ID.");
          customer.defaultMethod = method;
        }
        return customer;
      },
    },
    "GET /v1/customers/{id}/payment_methods": {
      takes: ["type", "limit"],
      run: (_, id) => {
        this.#need("customer", id);
        return this.#list<Method>("payment_method", (method) => method.customer === id);
      },
    },
    "POST /v1/payment_methods/{id}/attach": {
      takes: ["customer"],
      run: ({ customer }, id) => {
        this.#need("customer", String(customer), "customer");
        const method = this.#objects.get(id) as Method | undefined;
        if (method?.object !== "payment_method") throw missing("PaymentMethod", id, "payment_method");
        this.#attach(method, String(customer));
        return method;
      },
    },
    "POST /v1/products": {
      takes: ["name", "metadata"],
      run: ({ name, metadata }) => this.#add("prod", "product", { name, metadata: metadata ?? {} }),
    },
    "GET /v1/prices": {
      takes: ["lookup_keys", "active", "limit"],
      run: ({ lookup_keys }) => {
        const keys = Object.values((lookup_keys ?? {}) as Record<string, string>);
        return this.#list("price", (price) => keys.includes(String(price.lookup_key)));
      },
    },
    "POST /v1/prices": {
      takes: ["product", "currency", "unit_amount", "recurring", "lookup_key", "metadata"],
      run: ({ product, currency, unit_amount, recurring, lookup_key, metadata }) => {
        this.#need("product", String(product), "product");
        if (lookup_key && this.#list("price", (price) => price.lookup_key === lookup_key).data.length > 0)
          throw bad("A price already uses that lookup key.", { param: "lookup_key" });
        const { interval, interval_count } = recurring as Record<string, string>;
        if (interval !== "day") throw bad("Only prices by the day are known here.");
        return this.#add("price", "price", {
          product,
          currency,
          unit_amount: Number(unit_amount),
          days: Number(interval_count),
          lookup_key,
          metadata: metadata ?? {},
        });
      },
    },
    "POST /v1/payment_intents": {
      takes: ["amount", "currency", "customer", "automatic_payment_methods", "metadata"],
      run: ({ amount, currency, customer, metadata }) => {
        if (Number(amount) < 50)
          throw bad("Amount must be at least $0.50 usd", { code: "amount_too_small", param: "amount" });
        this.#need("customer", String(customer), "customer");
        return this.#addIntent(Number(amount), String(customer), null, {
          currency,
          metadata: metadata ?? {},
        });
      },
    },
    "GET /v1/payment_intents/{id}": {
      takes: [],
      run: (_, id) => this.#need("payment_intent", id, "intent"),
    },
    "POST /v1/subscriptions": {
      takes: ["customer", "items", "payment_behavior", "payment_settings", "default_payment_method"],
      run: (params) => this.#subscribe(params),
    },
    "GET /v1/subscriptions/{id}": { takes: [], run: (_, id) => this.#need("subscription", id) },
    "POST /v1/subscriptions/{id}": {
      takes: [
        "items",
        "proration_behavior",
        "payment_behavior",
        "billing_cycle_anchor",
        "cancel_at_period_end",
      ],
      run: (params, id) => this.#change(this.#need<Subscription>("subscription", id), params),
    },
    "DELETE /v1/subscriptions/{id}": {
      takes: [],
      run: (_, id) => {
        const subscription = this.#need<Subscription>("subscription", id);
        if (isOver(subscription)) throw missing("subscription", id);
        this.#end(subscription, "canceled");
        return subscription;
      },
    },
    "GET /v1/invoice_payments": {
      takes: ["payment", "limit"],
      run: ({ payment }) => {
        const { payment_intent } = payment as Record<string, string>;
        const invoices = this.#list<Invoice>(
          "invoice",
          (invoice) => invoice.payment_intent === payment_intent,
        ).data;
        return {
          object: "list",
          has_more: false,
          data: invoices.map(({ id }) => ({ id: `inpay_${id}`, object: "invoice_payment", invoice: id })),
        };
      },
    },
    "GET /v1/disputes": {
      takes: ["charge", "limit"],
      run: ({ charge }) => this.#list("dispute", (dispute) => dispute.charge === charge),
    },
    "GET /v1/refunds": {
      takes: ["charge", "limit"],
      run: ({ charge }) => this.#list("refund", (refund) => refund.charge === charge),
    },
    "GET /v1/events": {
      takes: ["types", "created", "limit", "starting_after"],
      run: ({ types, created, limit, starting_after }) => {
        const wanted = Object.values((types ?? {}) as Record<string, string>);
        const from = Number((created as Params | undefined)?.gte ?? 0);
        const all = this.events
          .filter(({ type, created }) => wanted.includes(type) && created >= from)
          .filter(({ created }) => created > this.now - 30 * DAY)
          .reverse();
        const first = all.findIndex(({ id }) => id === starting_after) + 1;
        const page = all.slice(first, first + Number(limit ?? 10));
        return { object: "list", has_more: first + page.length < all.length, data: page };
      },
    },
  };

  // ---- subscriptions

  #subscribe(params: Params): Subscription {
    const customer = this.#need("customer", String(params.customer), "customer");
    const price = this.#priceOf(params);
    if (params.payment_behavior !== "default_incomplete")
      throw bad("Only default_incomplete is known here.", { param: "payment_behavior" });
    const method = params.default_payment_method;
    if (typeof method === "string") {
      const known = this.#objects.get(method) as Method | undefined;
      if (!known) throw missing("PaymentMethod", method, "default_payment_method");
      if (known.customer !== customer.id)
        throw bad("The customer does not have a payment method with this ID.", {
          param: "default_payment_method",
        });
    }
    const settings = (params.payment_settings ?? {}) as Record<string, string>;
    const subscription = this.#add<Subscription>("sub", "subscription", {
      status: "incomplete",
      customer: customer.id,
      price: price.id,
      item: `si_${++this.#count}`,
      start: this.now,
      end: this.now + Number(price.days) * DAY,
      cancel_at_period_end: false,
      default_payment_method: typeof method === "string" ? method : null,
      latest_invoice: "",
      savesMethod: settings.save_default_payment_method === "on_subscription",
      created: this.now,
      pending: null,
    });
    this.#bill(subscription, [this.#period(subscription)]);
    this.#emit("customer.subscription.created", subscription);
    return subscription;
  }

  #change(subscription: Subscription, params: Params): Subscription {
    if (isOver(subscription))
      throw bad("A canceled subscription can only update its cancellation_details and metadata.");
    const isPending = params.payment_behavior === "pending_if_incomplete";
    if (isPending && params.cancel_at_period_end !== undefined)
      throw bad("Passing `cancel_at_period_end` with `pending_if_incomplete` is not supported.", {
        param: "cancel_at_period_end",
      });
    if (subscription.pending) this.#dropPending(subscription);
    if (params.items) {
      const price = this.#priceOf(params, subscription.item);
      if (params.proration_behavior === "always_invoice") this.#levelUp(subscription, price, isPending);
      else subscription.price = price.id;
    }
    if (params.cancel_at_period_end !== undefined)
      subscription.cancel_at_period_end = params.cancel_at_period_end === "true";
    this.#emit("customer.subscription.updated", subscription);
    return subscription;
  }

  /** Starts a new period now and credits the unused rest of the old one. Waits for the payment where necessary. */
  #levelUp(subscription: Subscription, price: StripeObject, isPending: boolean): void {
    const old = this.#need("price", subscription.price);
    const rest = (subscription.end - this.now) / (subscription.end - subscription.start);
    const end = this.now + Number(price.days) * DAY;
    const lines: Line[] = [
      {
        amount: -Math.round(Number(old.unit_amount) * rest),
        isProration: true,
        start: this.now,
        end: subscription.end,
        price: old.id,
      },
      { amount: Number(price.unit_amount), isProration: false, start: this.now, end, price: price.id },
    ];
    if (!isPending) throw bad("Only pending_if_incomplete is known here.", { param: "payment_behavior" });
    const invoice = this.#bill(subscription, lines);
    subscription.pending = { price: price.id, invoice: invoice.id, expiresAt: this.now + 23 * HOUR };
    this.#charge(invoice, this.#methodOf(subscription));
  }

  #dropPending(subscription: Subscription): void {
    const invoice = this.#need<Invoice>("invoice", subscription.pending?.invoice ?? "");
    invoice.status = "void";
    if (invoice.payment_intent)
      this.#need<Intent>("payment_intent", invoice.payment_intent).status = "canceled";
    subscription.pending = null;
  }

  #period(subscription: Subscription): Line {
    const price = this.#need("price", subscription.price);
    return {
      amount: Number(price.unit_amount),
      isProration: false,
      start: subscription.start,
      end: subscription.end,
      price: price.id,
    };
  }

  #bill(subscription: Subscription, lines: Line[]): Invoice {
    const amount = Math.max(
      0,
      lines.reduce((sum, line) => sum + line.amount, 0),
    );
    const invoice = this.#add<Invoice>("in", "invoice", {
      status: "open",
      amount_due: amount,
      subscription: subscription.id,
      payment_intent: null,
      lines,
      attempts: 0,
      nextAttempt: null,
    });
    const intent = this.#addIntent(amount, subscription.customer, invoice.id, {
      currency: "usd",
      metadata: {},
    });
    intent.payment_method = this.#methodOf(subscription)?.id ?? null;
    if (intent.payment_method) intent.status = "requires_confirmation";
    invoice.payment_intent = intent.id;
    subscription.latest_invoice = invoice.id;
    return invoice;
  }

  /** Off session: a card that requires a confirmation cannot ask for it. */
  #charge(invoice: Invoice, method: Method | null): void {
    const intent = this.#need<Intent>("payment_intent", invoice.payment_intent ?? "");
    invoice.attempts++;
    if (method?.behaviour === "pays") {
      this.#succeed(intent, method);
      return;
    }
    intent.status = method?.behaviour === "asks" ? "requires_action" : "requires_payment_method";
    this.#emit("invoice.payment_failed", invoice);
  }

  #succeed(intent: Intent, method: Method): void {
    const charge = this.#add<Charge>("ch", "charge", {
      amount: intent.amount,
      amount_refunded: 0,
      disputed: false,
      payment_intent: intent.id,
    });
    method.wasUsed = true;
    Object.assign(intent, {
      status: "succeeded",
      amount_received: intent.amount,
      latest_charge: charge.id,
      payment_method: method.id,
    });
    this.#emit("payment_intent.succeeded", intent);
    const invoice = intent.invoice ? this.#need<Invoice>("invoice", intent.invoice) : null;
    if (!invoice) return;
    invoice.status = "paid";
    invoice.nextAttempt = null;
    const subscription = this.#need<Subscription>("subscription", invoice.subscription);
    if (subscription.pending?.invoice === invoice.id) {
      subscription.price = subscription.pending.price;
      const line = invoice.lines.find(({ isProration }) => !isProration);
      subscription.start = line?.start ?? subscription.start;
      subscription.end = line?.end ?? subscription.end;
      subscription.pending = null;
    }
    if (subscription.savesMethod && method.customer === subscription.customer)
      subscription.default_payment_method ??= method.id;
    subscription.status = "active";
    this.#emit("invoice.paid", invoice);
    this.#emit("customer.subscription.updated", subscription);
  }

  #end(subscription: Subscription, status: string): void {
    subscription.status = status;
    const invoice = this.#need<Invoice>("invoice", subscription.latest_invoice);
    if (invoice.status === "open") invoice.status = "void";
    this.#emit("customer.subscription.deleted", subscription);
  }

  // ---- actions of people, banks and time

  /** A card typed into Stripe's own field. */
  newCard(behaviour: CardBehaviour): string {
    return this.#add("pm", "payment_method", {
      type: "card",
      card: { brand: "visa", last4: { pays: "4242", declines: "0341", asks: "3155" }[behaviour] },
      customer: null,
      behaviour,
      wasUsed: false,
    }).id;
  }

  /** The card form's confirmation of a client secret. `isConfirmed`: the card holder accepts 3-D Secure. */
  confirm(clientSecret: string, card: string, { save = false, isConfirmed = false } = {}): string {
    const id = clientSecret.split("_secret_")[0] ?? "";
    const intent = this.#need<Intent>("payment_intent", id);
    if (intent.client_secret !== clientSecret) throw missing("payment_intent", id);
    if (!/^requires_(payment_method|confirmation|action)$/.test(intent.status))
      throw bad(`You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`, {
        code: "payment_intent_unexpected_state",
      });
    const method = this.#need<Method>("payment_method", card);
    const isForSubscription = intent.invoice !== null;
    if ((save || isForSubscription) && method.customer === null && intent.customer)
      this.#attach(method, intent.customer);
    intent.payment_method = method.id;
    if (method.behaviour === "declines") {
      intent.status = "requires_payment_method";
      throw declined();
    }
    if (method.behaviour === "asks" && !isConfirmed) intent.status = "requires_action";
    else this.#succeed(intent, method);
    return intent.status;
  }

  /** Time passes, with renewals, retries and expiries in order. */
  advance(to: number): void {
    const end = Math.floor(to / 1000);
    for (;;) {
      const next = [...this.#objects.values()]
        .filter((one): one is Subscription => one.object === "subscription" && !isOver(one as Subscription))
        .map((subscription) => ({ subscription, at: this.#nextOf(subscription) }))
        .sort((a, b) => a.at - b.at)[0];
      if (!next || next.at > end) break;
      this.now = Math.max(this.now, next.at);
      this.#step(next.subscription);
    }
    this.now = end;
  }

  #nextOf(subscription: Subscription): number {
    if (subscription.status === "incomplete") return subscription.created + 23 * HOUR;
    const invoice = this.#need<Invoice>("invoice", subscription.latest_invoice);
    return Math.min(
      subscription.end,
      invoice.nextAttempt ?? Number.POSITIVE_INFINITY,
      subscription.pending?.expiresAt ?? Number.POSITIVE_INFINITY,
    );
  }

  #step(subscription: Subscription): void {
    const invoice = this.#need<Invoice>("invoice", subscription.latest_invoice);
    if (subscription.status === "incomplete") this.#end(subscription, "incomplete_expired");
    else if (subscription.pending && subscription.pending.expiresAt <= this.now)
      this.#dropPending(subscription);
    else if (invoice.nextAttempt !== null && invoice.nextAttempt <= this.now)
      this.#attempt(subscription, invoice);
    else if (subscription.cancel_at_period_end) this.#end(subscription, "canceled");
    else this.#renew(subscription);
  }

  #renew(subscription: Subscription): void {
    const price = this.#need("price", subscription.price);
    subscription.start = subscription.end;
    subscription.end = subscription.start + Number(price.days) * DAY;
    this.#attempt(subscription, this.#bill(subscription, [this.#period(subscription)]));
  }

  #attempt(subscription: Subscription, invoice: Invoice): void {
    this.#charge(invoice, this.#methodOf(subscription));
    if (invoice.status === "paid") return;
    const wait = RETRIES[invoice.attempts - 1];
    if (wait === undefined) {
      this.#end(subscription, "canceled");
      return;
    }
    invoice.nextAttempt = this.now + wait * DAY;
    subscription.status = "past_due";
    this.#emit("customer.subscription.updated", subscription);
  }

  /** Renewals charge the card holder's other card from now on. */
  replaceCard(subscription: string, card: string): void {
    const known = this.#need<Subscription>("subscription", subscription);
    const method = this.#need<Method>("payment_method", card);
    if (method.customer === null) this.#attach(method, known.customer);
    known.default_payment_method = method.id;
  }

  refund(paymentIntent: string, cents?: number): string {
    const charge = this.#chargeOf(paymentIntent);
    const amount = cents ?? charge.amount - charge.amount_refunded;
    if (amount <= 0 || charge.amount_refunded + amount > charge.amount)
      throw bad("Refund amount is greater than unrefunded amount on charge.");
    if (charge.disputed) throw bad("The charge has been charged back.", { code: "charge_disputed" });
    charge.amount_refunded += amount;
    const refund = this.#add("re", "refund", {
      amount,
      status: "succeeded",
      charge: charge.id,
      payment_intent: paymentIntent,
    });
    this.#emit("refund.created", refund);
    this.#emit("charge.refunded", charge);
    return refund.id;
  }

  /** The bank could not pay out the refund. */
  failRefund(id: string): void {
    const refund = this.#need("refund", id);
    if (refund.status !== "succeeded") throw bad("This refund has failed already.");
    refund.status = "failed";
    this.#need<Charge>("charge", String(refund.charge)).amount_refunded -= Number(refund.amount);
    this.#emit("refund.failed", refund);
  }

  dispute(paymentIntent: string, status = "needs_response", cents?: number): string {
    const charge = this.#chargeOf(paymentIntent);
    charge.disputed = true;
    const dispute = this.#add("dp", "dispute", {
      amount: cents ?? charge.amount - charge.amount_refunded,
      status,
      charge: charge.id,
      payment_intent: paymentIntent,
    });
    this.#emit("charge.dispute.created", dispute);
    return dispute.id;
  }

  closeDispute(id: string, status: "won" | "lost" | "warning_closed"): void {
    const dispute = this.#need("dispute", id);
    if (/^(won|lost|warning_closed)$/.test(String(dispute.status)))
      throw bad("This dispute is already closed.");
    dispute.status = status;
    this.#emit("charge.dispute.closed", dispute);
  }

  /** A subscription to a product of another application on the same account. */
  foreignSubscription(customer: string): string {
    const product = this.#add("prod", "product", { name: "Another", metadata: {} });
    const price = this.#add("price", "price", {
      product: product.id,
      unit_amount: 900,
      days: 30,
      metadata: {},
    });
    const items = { 0: { price: price.id } } as unknown as Params;
    return this.#subscribe({ customer, items, payment_behavior: "default_incomplete" }).id;
  }

  /** The intent that paid a subscription's newest invoice. */
  intentOf(subscription: string): string {
    const { latest_invoice } = this.#need<Subscription>("subscription", subscription);
    return this.#need<Invoice>("invoice", latest_invoice).payment_intent ?? "";
  }
  read(id: string): StripeObject | undefined {
    return this.#objects.get(id);
  }

  // ---- objects

  #newId(prefix: string): string {
    return `${prefix}_${this.#account}x${++this.#count}`;
  }

  #add<T extends StripeObject>(prefix: string, object: string, fields: Fields): T {
    const id = this.#newId(prefix);
    const made = { id, object, created: this.now, ...fields } as unknown as T;
    this.#objects.set(id, made);
    return made;
  }
  #addIntent(amount: number, customer: string, invoice: string | null, fields: Fields): Intent {
    const intent = this.#add<Intent>("pi", "payment_intent", {
      ...fields,
      amount,
      amount_received: 0,
      customer,
      status: "requires_payment_method",
      payment_method: null,
      latest_charge: null,
      invoice,
    });
    intent.client_secret = `${intent.id}_secret_${this.#count}`;
    return intent;
  }
  #need<T extends StripeObject>(object: string, id: string, param = "id"): T {
    const found = this.#objects.get(id);
    if (found?.object !== object) throw missing(object, id, param);
    return found as T;
  }
  #list<T extends StripeObject>(object: string, isWanted: (one: T) => boolean) {
    const data = [...this.#objects.values()]
      .filter((one) => one.object === object && isWanted(one as T))
      .reverse();
    return { object: "list", has_more: false, data: data as T[] };
  }
  #attach(method: Method, customer: string): void {
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
  #methodOf(subscription: Subscription): Method | null {
    const customer = this.#need("customer", subscription.customer);
    const id = subscription.default_payment_method ?? customer.defaultMethod;
    return typeof id === "string" ? this.#need<Method>("payment_method", id) : null;
  }
  #chargeOf(paymentIntent: string): Charge {
    const { latest_charge } = this.#need<Intent>("payment_intent", paymentIntent);
    return this.#need<Charge>("charge", latest_charge ?? "", "charge");
  }
  #priceOf(params: Params, item?: string): StripeObject {
    const items = Object.values((params.items ?? {}) as Record<string, Record<string, string>>);
    const [first] = items;
    if (!first || items.length !== 1) throw bad("Missing required param: items.", { param: "items" });
    if (item !== undefined && first.id !== item)
      throw bad("The same price may not be on a subscription twice; name the item to change.", {
        param: "items",
      });
    return this.#need("price", String(first.price), "items[0][price]");
  }

  /** Objects as the API returns them: a field stays an id unless the request expands it. */
  #expanded(answer: Fields, expand: string[]): Fields {
    if (answer.object === "list")
      return {
        ...answer,
        data: (answer.data as Fields[]).map((one) =>
          this.#expanded(
            one,
            expand.map((path) => path.replace(/^data\./, "")),
          ),
        ),
      };
    const wants = (path: string) => expand.some((one) => one === path || one.startsWith(`${path}.`));
    if (answer.object === "subscription")
      return {
        ...this.#shown(answer as Subscription),
        latest_invoice: wants("latest_invoice")
          ? this.#shownInvoice(
              (answer as Subscription).latest_invoice,
              wants("latest_invoice.confirmation_secret"),
            )
          : answer.latest_invoice,
      };
    if (answer.object === "invoice_payment" && wants("invoice"))
      return { ...answer, invoice: this.#shownInvoice(String(answer.invoice), false) };
    if (
      answer.object === "payment_intent" &&
      typeof answer.latest_charge === "string" &&
      wants("latest_charge")
    ) {
      const charge = this.#need<Charge>("charge", answer.latest_charge);
      const refunds = this.#list("refund", (refund) => refund.charge === charge.id);
      return {
        ...answer,
        latest_charge: { ...charge, ...(wants("latest_charge.refunds") ? { refunds } : {}) },
      };
    }
    return answer;
  }
  #shown(subscription: Subscription): Fields {
    const price = this.#need("price", subscription.price);
    return {
      id: subscription.id,
      object: "subscription",
      customer: subscription.customer,
      status: subscription.status,
      cancel_at_period_end: subscription.cancel_at_period_end,
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
  #shownInvoice(id: string, withSecret: boolean): Fields {
    const invoice = this.#need<Invoice>("invoice", id);
    const intent = this.#need<Intent>("payment_intent", invoice.payment_intent ?? "");
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
      ...(withSecret
        ? { confirmation_secret: { client_secret: intent.client_secret, type: "payment_intent" } }
        : {}),
    };
  }

  // ---- events

  #emit(type: string, about: StripeObject): void {
    const object =
      about.object === "subscription"
        ? this.#shown(about as Subscription)
        : about.object === "invoice"
          ? this.#shownInvoice(about.id, false)
          : about;
    const id = this.#newId("evt");
    this.events.push({
      id,
      object: "event",
      type,
      created: this.now,
      data: { object: structuredClone(object) },
    });
  }
}

const isOver = ({ status }: Subscription): boolean =>
  status === "canceled" || status === "incomplete_expired";

/** Stripe's signature header: HMAC-SHA256 of time and body. `at`: epoch seconds. */
export async function signatureOf(body: string, secret: string, at: number): Promise<string> {
  const bytes = new TextEncoder();
  const key = await crypto.subtle.importKey(
    "raw",
    bytes.encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes.encode(`${at}.${body}`)));
  return `t=${at},v1=${[...mac].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
