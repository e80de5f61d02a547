// Subscriptions of the Stripe stand-in: their invoices, renewals, retries and changes of plan.
import {
  bad,
  type Charge,
  DAY,
  HOUR,
  type Intent,
  type Invoice,
  isOver,
  type Line,
  type Method,
  missing,
  type Params,
  type StripeObject,
  StripeObjects,
  type Subscription,
} from "./objects";

/** Stripe retries a failed renewal after these numbers of days, then cancels. */
const RETRIES = [3, 5, 7];

export class StripeBilling extends StripeObjects {
  /** The setting that decides the status of a subscription after the last retry. */
  afterRetries: "canceled" | "past_due" | "unpaid" = "canceled";

  protected subscribe(params: Params): Subscription {
    const customer = this.need("customer", String(params.customer), "customer");
    const price = this.priceOf(params);
    if (params.payment_behavior !== "default_incomplete")
      throw bad("Only default_incomplete is known here.", { param: "payment_behavior" });
    const method = params.default_payment_method;
    if (typeof method === "string") {
      const known = this.objects.get(method) as Method | undefined;
      if (!known) throw missing("PaymentMethod", method, "default_payment_method");
      if (known.customer !== customer.id)
        throw bad("The customer does not have a payment method with this ID.", {
          param: "default_payment_method",
        });
    }
    const settings = (params.payment_settings ?? {}) as Record<string, string>;
    const subscription = this.add<Subscription>("sub", "subscription", {
      status: "incomplete",
      customer: customer.id,
      price: price.id,
      item: `si_${++this.count}`,
      start: this.now,
      end: this.now + Number(price.days) * DAY,
      cancel_at_period_end: false,
      default_payment_method: typeof method === "string" ? method : null,
      latest_invoice: "",
      savesMethod: settings.save_default_payment_method === "on_subscription",
      created: this.now,
      pending: null,
      metadata: (params.metadata ?? {}) as Record<string, string>,
    });
    this.bill(subscription, [this.period(subscription)]);
    this.emit("customer.subscription.created", subscription);
    return subscription;
  }

  protected change(subscription: Subscription, params: Params): Subscription {
    if (isOver(subscription))
      throw bad("A canceled subscription can only update its cancellation_details and metadata.");
    if (subscription.status === "incomplete")
      throw bad("An incomplete subscription can only update its metadata and default source.");
    const isPending = params.payment_behavior === "pending_if_incomplete";
    if (isPending && params.cancel_at_period_end !== undefined)
      throw bad("Passing `cancel_at_period_end` with `pending_if_incomplete` is not supported.", {
        param: "cancel_at_period_end",
      });
    if (subscription.pending) this.dropPending(subscription);
    if (params.items) {
      const price = this.priceOf(params, subscription.item);
      if (params.proration_behavior === "always_invoice") this.levelUp(subscription, price, isPending);
      else subscription.price = price.id;
    }
    if (params.cancel_at_period_end !== undefined)
      subscription.cancel_at_period_end = params.cancel_at_period_end === "true";
    this.emit("customer.subscription.updated", subscription);
    return subscription;
  }

  /** Starts a new period now and credits the unused rest of the old one. Waits for the payment where necessary. */
  protected levelUp(subscription: Subscription, price: StripeObject, isPending: boolean): void {
    const old = this.need("price", subscription.price);
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
    const invoice = this.bill(subscription, lines);
    subscription.pending = { price: price.id, invoice: invoice.id, expiresAt: this.now + 23 * HOUR };
    this.charge(invoice, this.methodOf(subscription));
  }

  protected dropPending(subscription: Subscription): void {
    const invoice = this.need<Invoice>("invoice", subscription.pending?.invoice ?? "");
    this.voidInvoice(invoice);
    subscription.pending = null;
  }

  protected voidInvoice(invoice: Invoice): void {
    this.closeInvoice(invoice, "void");
    if (invoice.payment_intent)
      this.need<Intent>("payment_intent", invoice.payment_intent).status = "canceled";
  }

  /** A plan whose newest invoice nobody has to pay any more is no longer past due. */
  protected closeInvoice(invoice: Invoice, status: "void" | "uncollectible"): void {
    Object.assign(invoice, { status, nextAttempt: null });
    const subscription = this.need<Subscription>("subscription", invoice.subscription);
    if (subscription.status !== "past_due" || subscription.latest_invoice !== invoice.id) return;
    subscription.status = "active";
    this.emit("customer.subscription.updated", subscription);
  }

  protected period(subscription: Subscription): Line {
    const price = this.need("price", subscription.price);
    return {
      amount: Number(price.unit_amount),
      isProration: false,
      start: subscription.start,
      end: subscription.end,
      price: price.id,
    };
  }

  protected bill(subscription: Subscription, lines: Line[]): Invoice {
    const amount = Math.max(
      0,
      lines.reduce((sum, line) => sum + line.amount, 0),
    );
    const invoice = this.add<Invoice>("in", "invoice", {
      status: "open",
      amount_due: amount,
      subscription: subscription.id,
      payment_intent: null,
      lines,
      attempts: 0,
      nextAttempt: null,
    });
    const intent = this.addIntent(amount, subscription.customer, invoice.id, {
      currency: "usd",
      metadata: {},
    });
    intent.payment_method = this.methodOf(subscription)?.id ?? null;
    if (intent.payment_method) intent.status = "requires_confirmation";
    invoice.payment_intent = intent.id;
    subscription.latest_invoice = invoice.id;
    return invoice;
  }

  /** Off session: a card that requires a confirmation cannot ask for it. */
  protected charge(invoice: Invoice, method: Method | null): void {
    const intent = this.need<Intent>("payment_intent", invoice.payment_intent ?? "");
    invoice.attempts++;
    if (method?.behaviour === "pays") {
      this.succeed(intent, method);
      return;
    }
    intent.status = method?.behaviour === "asks" ? "requires_action" : "requires_payment_method";
    this.emit("invoice.payment_failed", invoice);
  }

  protected succeed(intent: Intent, method: Method): void {
    const charge = this.add<Charge>("ch", "charge", {
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
    this.emit("payment_intent.succeeded", intent);
    const invoice = intent.invoice ? this.need<Invoice>("invoice", intent.invoice) : null;
    if (!invoice) return;
    invoice.status = "paid";
    invoice.nextAttempt = null;
    const subscription = this.need<Subscription>("subscription", invoice.subscription);
    if (subscription.pending?.invoice === invoice.id) {
      subscription.price = subscription.pending.price;
      const line = invoice.lines.find(({ isProration }) => !isProration);
      subscription.start = line?.start ?? subscription.start;
      subscription.end = line?.end ?? subscription.end;
      subscription.pending = null;
    }
    if (subscription.savesMethod && method.customer === subscription.customer)
      subscription.default_payment_method ??= method.id;
    if (!isOver(subscription)) subscription.status = "active";
    this.emit("invoice.paid", invoice);
    this.emit("customer.subscription.updated", subscription);
  }

  /** Stripe then collects no open invoice by itself, but a card form may still pay it. Of a draft it promises nothing. */
  protected end(subscription: Subscription, status: string): void {
    subscription.status = status;
    const invoice = this.need<Invoice>("invoice", subscription.latest_invoice);
    if (invoice.status === "open") {
      if (status === "incomplete_expired") this.voidInvoice(invoice);
      invoice.nextAttempt = null;
    }
    this.emit("customer.subscription.deleted", subscription);
  }

  protected nextOf(subscription: Subscription): number {
    if (isOver(subscription))
      return (
        this.need<Invoice>("invoice", subscription.latest_invoice).nextAttempt ?? Number.POSITIVE_INFINITY
      );
    if (subscription.status === "incomplete") return subscription.created + 23 * HOUR;
    const invoice = this.need<Invoice>("invoice", subscription.latest_invoice);
    return Math.min(
      subscription.end,
      invoice.nextAttempt ?? Number.POSITIVE_INFINITY,
      subscription.pending?.expiresAt ?? Number.POSITIVE_INFINITY,
    );
  }

  protected step(subscription: Subscription): void {
    const invoice = this.need<Invoice>("invoice", subscription.latest_invoice);
    if (subscription.status === "incomplete") this.end(subscription, "incomplete_expired");
    else if (subscription.pending && subscription.pending.expiresAt <= this.now)
      this.dropPending(subscription);
    else if (invoice.nextAttempt !== null && invoice.nextAttempt <= this.now)
      this.attempt(subscription, invoice);
    else if (subscription.cancel_at_period_end) this.end(subscription, "canceled");
    else this.renew(subscription);
  }

  protected renew(subscription: Subscription): void {
    const price = this.need("price", subscription.price);
    subscription.start = subscription.end;
    subscription.end = subscription.start + Number(price.days) * DAY;
    const invoice = this.bill(subscription, [this.period(subscription)]);
    // The invoices of an unpaid subscription stay drafts.
    Object.assign(invoice, {
      status: "draft",
      nextAttempt: subscription.status === "unpaid" ? null : this.now + HOUR,
    });
    this.emit("customer.subscription.updated", subscription);
  }

  protected attempt(subscription: Subscription, invoice: Invoice): void {
    if (invoice.status === "draft") invoice.status = "open";
    this.charge(invoice, this.methodOf(subscription));
    if (invoice.status === "paid") return;
    const wait = RETRIES[invoice.attempts - 1];
    if (isOver(subscription)) {
      invoice.nextAttempt = null;
      return;
    }
    if (wait === undefined && this.afterRetries === "canceled") {
      this.end(subscription, "canceled");
      return;
    }
    invoice.nextAttempt = wait === undefined ? null : this.now + wait * DAY;
    subscription.status = wait === undefined ? this.afterRetries : "past_due";
    this.emit("customer.subscription.updated", subscription);
  }
}
