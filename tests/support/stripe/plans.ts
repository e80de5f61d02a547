// Plans at the Stripe stand-in in the states that tests of their renewal and their end begin with.
import { vi } from "vitest";
import { NOW, reload } from "#tests/support/factories";
import { beginLife, type Life, runPaymentJobs, STRIPE_KEYS } from "#tests/support/stripe/life";
import type { CardBehaviour } from "#tests/support/stripe/objects";
import { createStripePayments } from "#workers/adapters/stripe-payments";
import { DAY, HOUR, instant } from "~/domain/time";
import { createSubscription, viewSubscribe } from "~/use-cases/payments/subscriptions.server";

/** The provider without its answers to these requests, which it fulfils all the same. */
export const losingAnswersTo = ({ stripe }: Life, lost: RegExp) =>
  createStripePayments(STRIPE_KEYS, async (...request) => {
    const answer = await stripe.fetch(...request);
    const { method, path } = stripe.asked.at(-1) ?? {};
    if (lost.test(`${method} ${path}`)) throw new TypeError("connection lost");
    return answer;
  });

export const quietly = async (work: () => Promise<void>) => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  await work();
  said.mockRestore();
};

/** A paid plan whose card renews it so, half an hour after its first 30 days. The answer has its id. */
export async function renewing(how: CardBehaviour) {
  const life = await beginLife();
  const { stripe } = life;
  const begun = await createSubscription(await life.app(), { product: "goals_sub", method: null });
  stripe.confirm(begun.clientSecret ?? "", stripe.newCard("pays"));
  await life.deliver(life.news());
  const { providerId = "" } = (await life.subscription()) ?? {};
  stripe.replaceCard(providerId, stripe.newCard(how));
  stripe.advance(NOW + 30 * DAY + HOUR / 2);
  await runPaymentJobs(life);
  const view = async () => (await viewSubscribe(await life.app())).subscription;
  const press = async (product: string) => createSubscription(await life.app(), { product, method: null });
  /** The subscriptions that were begun or ended. */
  const orders = () =>
    stripe.asked.filter(({ method, path }) =>
      /^(POST \/v1\/subscriptions|DELETE \/v1\/subscriptions\/\w+)$/.test(`${method} ${path}`),
    ).length;
  const plan = async () => (await reload(life.user, instant(stripe.now * 1000)))?.subscription;
  return { life, stripe, providerId, view, press, orders, plan };
}

export const BASIC = { product: "goals_sub", key: "k", method: null };

/** Something happens at the provider just before it answers the request of this number among those like `request`. */
export function happensBefore({ stripe }: Life, [request, number]: Moment, happen: () => void) {
  let seen = 0;
  stripe.interrupt = (method, path) => {
    if (request.test(`${method} ${path}`) && ++seen === number) happen();
    return null;
  };
}
export type Moment = [request: RegExp, number: number];
