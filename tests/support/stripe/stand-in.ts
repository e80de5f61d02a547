// A local stand-in for Stripe that the real library calls: objects with state, its own clock, signed events. The acts of
// card holders, banks and time are here.
import { StripeApi } from "./api";
import {
  bad,
  type CardBehaviour,
  type Charge,
  declined,
  type Intent,
  type Invoice,
  type Method,
  missing,
  type Params,
  type Subscription,
} from "./objects";

export class StripeStandIn extends StripeApi {
  /** A card typed into Stripe's own field. */
  newCard(behaviour: CardBehaviour): string {
    return this.add("pm", "payment_method", {
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
    const intent = this.need<Intent>("payment_intent", id);
    if (intent.client_secret !== clientSecret) throw missing("payment_intent", id);
    if (!/^requires_(payment_method|confirmation|action)$/.test(intent.status))
      throw bad(`You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`, {
        code: "payment_intent_unexpected_state",
      });
    const method = this.need<Method>("payment_method", card);
    const isForSubscription = intent.invoice !== null;
    if ((save || isForSubscription) && method.customer === null && intent.customer)
      this.attach(method, intent.customer);
    intent.payment_method = method.id;
    if (method.behaviour === "declines") {
      intent.status = "requires_payment_method";
      throw declined();
    }
    if (method.behaviour === "asks" && !isConfirmed) intent.status = "requires_action";
    else this.succeed(intent, method);
    return intent.status;
  }

  /** Time passes, with renewals, retries and expiries in order. */
  advance(to: number): void {
    const end = Math.floor(to / 1000);
    for (;;) {
      const next = [...this.objects.values()]
        .filter((one): one is Subscription => one.object === "subscription")
        .map((subscription) => ({ subscription, at: this.nextOf(subscription) }))
        .sort((a, b) => a.at - b.at)[0];
      if (!next || next.at > end) break;
      this.now = Math.max(this.now, next.at);
      this.step(next.subscription);
    }
    this.now = end;
  }

  /** Renewals charge the card holder's other card from now on. */
  replaceCard(subscription: string, card: string): void {
    const known = this.need<Subscription>("subscription", subscription);
    const method = this.need<Method>("payment_method", card);
    if (method.customer === null) this.attach(method, known.customer);
    known.default_payment_method = method.id;
  }

  /** The operator marks the newest invoice as uncollectible. */
  giveUp(subscription: string): void {
    const { latest_invoice } = this.need<Subscription>("subscription", subscription);
    this.closeInvoice(this.need<Invoice>("invoice", latest_invoice), "uncollectible");
  }

  /** The payments of this account that moved money. */
  get paid(): number {
    return this.list("payment_intent", ({ status }) => status === "succeeded").data.length;
  }

  refund(paymentIntent: string, cents?: number): string {
    const charge = this.chargeOf(paymentIntent);
    const amount = cents ?? charge.amount - charge.amount_refunded;
    if (amount <= 0 || charge.amount_refunded + amount > charge.amount)
      throw bad("Refund amount is greater than unrefunded amount on charge.");
    if (charge.disputed) throw bad("The charge has been charged back.", { code: "charge_disputed" });
    charge.amount_refunded += amount;
    const refund = this.add("re", "refund", {
      amount,
      status: "succeeded",
      charge: charge.id,
      payment_intent: paymentIntent,
    });
    this.emit("refund.created", refund);
    this.emit("charge.refunded", charge);
    return refund.id;
  }

  /** The bank could not pay out the refund. */
  failRefund(id: string): void {
    const refund = this.need("refund", id);
    if (refund.status !== "succeeded") throw bad("This refund has failed already.");
    refund.status = "failed";
    this.need<Charge>("charge", String(refund.charge)).amount_refunded -= Number(refund.amount);
    this.emit("refund.failed", refund);
  }

  dispute(paymentIntent: string, status = "needs_response", cents?: number): string {
    const charge = this.chargeOf(paymentIntent);
    charge.disputed = true;
    const dispute = this.add("dp", "dispute", {
      amount: cents ?? charge.amount - charge.amount_refunded,
      status,
      charge: charge.id,
      payment_intent: paymentIntent,
    });
    this.emit("charge.dispute.created", dispute);
    return dispute.id;
  }

  closeDispute(id: string, status: "won" | "lost" | "warning_closed"): void {
    const dispute = this.need("dispute", id);
    if (/^(won|lost|warning_closed)$/.test(String(dispute.status)))
      throw bad("This dispute is already closed.");
    dispute.status = status;
    this.emit("charge.dispute.closed", dispute);
  }

  /** A subscription to a product of another application on the same account. */
  foreignSubscription(customer: string): string {
    const product = this.add("prod", "product", { name: "Another", metadata: {} });
    const price = this.add("price", "price", {
      product: product.id,
      unit_amount: 900,
      days: 30,
      metadata: {},
    });
    const items = { 0: { price: price.id } } as unknown as Params;
    return this.subscribe({ customer, items, payment_behavior: "default_incomplete" }).id;
  }

  /** The intent that paid a subscription's newest invoice. */
  intentOf(subscription: string): string {
    const { latest_invoice } = this.need<Subscription>("subscription", subscription);
    return this.need<Invoice>("invoice", latest_invoice).payment_intent ?? "";
  }
}

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
