// The API of the Stripe stand-in, as strict as Stripe about idempotency keys, unknown parameters and expansion.
import { StripeBilling } from "./billing";
import {
  bad,
  type Charge,
  DAY,
  type Fields,
  type Invoice,
  isOver,
  type Method,
  missing,
  type Params,
  Refusal,
  type Subscription,
} from "./objects";

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

export class StripeApi extends StripeBilling {
  readonly asked: { method: string; path: string; key: string | null }[] = [];
  /** Makes the next calls fail: they get this answer instead. */
  interrupt: ((method: string, path: string) => Response | null | Promise<Response | null>) | null = null;
  protected readonly keys = new Map<string, { request: string; status: number; body: string; at: number }>();

  readonly fetch = (async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const key = request.headers.get("Idempotency-Key");
    const text = request.method === "GET" ? url.search : await request.text();
    this.asked.push({ method: request.method, path: url.pathname, key });
    const interrupted = await this.interrupt?.(request.method, url.pathname);
    if (interrupted) return interrupted;
    const { status, body } = this.answer(request.method, url.pathname, text, key);
    return new Response(body, { status, headers: { "Content-Type": "application/json" } });
  }) as typeof fetch;

  protected answer(method: string, path: string, text: string, key: string | null) {
    // Only writes have keys. A key lives for 24 hours with its parameters, even after a failed request.
    const request = `${method} ${path}?${text}`;
    const kept = key && method === "POST" ? this.keys.get(key) : undefined;
    if (kept && kept.at > this.now - DAY) {
      if (kept.request === request) return kept;
      const message = `Keys for idempotent requests can only be used with the same parameters they were first used with.`;
      return { status: 400, body: JSON.stringify({ error: { type: "idempotency_error", message } }) };
    }
    let answer: { status: number; body: string };
    try {
      answer = { status: 200, body: JSON.stringify(this.route(method, path, text)) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answer = { status: error.status, body: JSON.stringify({ error: error.error }) };
    }
    if (key && method === "POST") this.keys.set(key, { request, ...answer, at: this.now });
    return answer;
  }

  protected route(method: string, path: string, text: string): Fields {
    const params = nested(new URLSearchParams(text));
    for (const [pattern, handler] of Object.entries(this.handlers)) {
      const [verb, template = ""] = pattern.split(" ");
      const found = new RegExp(`^${template.replace("{id}", "(\\w+)")}$`).exec(path);
      if (verb !== method || !found) continue;
      for (const name of Object.keys(params))
        if (!handler.takes.includes(name) && name !== "expand")
          throw bad(`Received unknown parameter: ${name}`, { code: "parameter_unknown", param: name });
      const expand = Object.values((params.expand ?? {}) as Record<string, string>);
      return this.expanded(handler.run(params, found[1] ?? ""), expand);
    }
    throw new Refusal(404, {
      type: "invalid_request_error",
      message: `Unrecognized request URL (${method}: ${path}).`,
    });
  }

  protected readonly handlers: Record<string, Handler> = {
    "POST /v1/customers": {
      takes: ["email", "metadata"],
      run: ({ email, metadata }) =>
        this.add("cus", "customer", { email, metadata: metadata ?? {}, defaultMethod: null }),
    },
    "POST /v1/customers/{id}": {
      takes: ["invoice_settings", "email", "metadata"],
      run: ({ invoice_settings }, id) => {
        const customer = this.need("customer", id);
        const method = (invoice_settings as Params | undefined)?.default_payment_method;
        if (typeof method === "string") {
          if (this.need<Method>("payment_method", method).customer !== id)
            throw bad("The customer does not have a payment method with this ID.");
          customer.defaultMethod = method;
        }
        return customer;
      },
    },
    "GET /v1/customers/{id}/payment_methods": {
      takes: ["type", "limit"],
      run: (_, id) => {
        this.need("customer", id);
        return this.list<Method>("payment_method", (method) => method.customer === id);
      },
    },
    "POST /v1/payment_methods/{id}/attach": {
      takes: ["customer"],
      run: ({ customer }, id) => {
        this.need("customer", String(customer), "customer");
        const method = this.objects.get(id) as Method | undefined;
        if (method?.object !== "payment_method") throw missing("PaymentMethod", id, "payment_method");
        this.attach(method, String(customer));
        return method;
      },
    },
    "POST /v1/products": {
      takes: ["name", "metadata"],
      run: ({ name, metadata }) => this.add("prod", "product", { name, metadata: metadata ?? {} }),
    },
    "GET /v1/prices": {
      takes: ["lookup_keys", "active", "limit"],
      run: ({ lookup_keys }) => {
        const keys = Object.values((lookup_keys ?? {}) as Record<string, string>);
        return this.list("price", (price) => keys.includes(String(price.lookup_key)));
      },
    },
    "POST /v1/prices": {
      takes: ["product", "currency", "unit_amount", "recurring", "lookup_key", "metadata"],
      run: ({ product, currency, unit_amount, recurring, lookup_key, metadata }) => {
        this.need("product", String(product), "product");
        if (lookup_key && this.list("price", (price) => price.lookup_key === lookup_key).data.length > 0)
          throw bad("A price already uses that lookup key.", { param: "lookup_key" });
        const { interval, interval_count } = recurring as Record<string, string>;
        if (interval !== "day") throw bad("Only prices by the day are known here.");
        return this.add("price", "price", {
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
        this.need("customer", String(customer), "customer");
        return this.addIntent(Number(amount), String(customer), null, {
          currency,
          metadata: metadata ?? {},
        });
      },
    },
    "GET /v1/payment_intents/{id}": {
      takes: [],
      run: (_, id) => this.need("payment_intent", id, "intent"),
    },
    "POST /v1/subscriptions": {
      takes: [
        "customer",
        "items",
        "payment_behavior",
        "payment_settings",
        "default_payment_method",
        "metadata",
      ],
      run: (params) => this.subscribe(params),
    },
    "GET /v1/subscriptions/{id}": { takes: [], run: (_, id) => this.need("subscription", id) },
    "POST /v1/subscriptions/{id}": {
      takes: [
        "items",
        "proration_behavior",
        "payment_behavior",
        "billing_cycle_anchor",
        "cancel_at_period_end",
      ],
      run: (params, id) => this.change(this.need<Subscription>("subscription", id), params),
    },
    "DELETE /v1/subscriptions/{id}": {
      takes: [],
      run: (_, id) => {
        const subscription = this.need<Subscription>("subscription", id);
        if (isOver(subscription)) throw missing("subscription", id);
        this.end(subscription, "canceled");
        return subscription;
      },
    },
    "GET /v1/invoices": {
      takes: ["subscription", "status", "limit"],
      run: ({ subscription, status }) =>
        this.list<Invoice>(
          "invoice",
          (invoice) => invoice.subscription === subscription && invoice.status === status,
        ),
    },
    "GET /v1/invoices/{id}": { takes: [], run: (_, id) => this.need("invoice", id) },
    "POST /v1/invoices/{id}": {
      takes: ["auto_advance"],
      run: ({ auto_advance }, id) => {
        const invoice = this.need<Invoice>("invoice", id);
        if (invoice.status !== "draft" && invoice.status !== "open")
          throw bad("You can only set auto_advance on draft and open invoices.", { param: "auto_advance" });
        if (auto_advance === "false") invoice.nextAttempt = null;
        return invoice;
      },
    },
    "POST /v1/invoices/{id}/void": {
      takes: [],
      run: (_, id) => {
        const invoice = this.need<Invoice>("invoice", id);
        if (invoice.status !== "open" && invoice.status !== "uncollectible")
          throw bad(`You can only void open invoices. This invoice is ${invoice.status}.`);
        this.voidInvoice(invoice);
        return invoice;
      },
    },
    "GET /v1/invoice_payments": {
      takes: ["payment", "limit"],
      run: ({ payment }) => {
        const { payment_intent } = payment as Record<string, string>;
        const invoices = this.list<Invoice>(
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
      run: ({ charge }) => this.list("dispute", (dispute) => dispute.charge === charge),
    },
    "GET /v1/refunds": {
      takes: ["charge", "limit"],
      run: ({ charge }) => this.list("refund", (refund) => refund.charge === charge),
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

  /** Objects as the API returns them: a field stays an id unless the request expands it. */
  protected expanded(answer: Fields, expand: string[]): Fields {
    if (answer.object === "list")
      return {
        ...answer,
        data: (answer.data as Fields[]).map((one) =>
          this.expanded(
            one,
            expand.map((path) => path.replace(/^data\./, "")),
          ),
        ),
      };
    const wants = (path: string) => expand.some((one) => one === path || one.startsWith(`${path}.`));
    if (answer.object === "subscription")
      return {
        ...this.shown(answer as Subscription),
        latest_invoice: wants("latest_invoice")
          ? this.shownInvoice(
              (answer as Subscription).latest_invoice,
              wants("latest_invoice.confirmation_secret"),
            )
          : answer.latest_invoice,
      };
    if (answer.object === "invoice") return this.shownInvoice(String(answer.id), false);
    if (answer.object === "invoice_payment" && wants("invoice"))
      return { ...answer, invoice: this.shownInvoice(String(answer.invoice), false) };
    if (
      answer.object === "payment_intent" &&
      typeof answer.latest_charge === "string" &&
      wants("latest_charge")
    ) {
      const charge = this.need<Charge>("charge", answer.latest_charge);
      const refunds = this.list("refund", (refund) => refund.charge === charge.id);
      return {
        ...answer,
        latest_charge: { ...charge, ...(wants("latest_charge.refunds") ? { refunds } : {}) },
      };
    }
    return answer;
  }
}
