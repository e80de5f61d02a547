// The balance, credits and spending of the user, in plain words (P-13).
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { AccountPage } from "~/components/layout/account-page";
import { Section } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Notice } from "~/components/ui/notice";
import { Time } from "~/components/ui/time";
import { numberIn } from "~/domain/number-fields";
import { dollarText } from "~/domain/payments/products";
import { tokensOf } from "~/domain/tokens";
import { load } from "~/http/load.server";
import { viewLedger } from "~/use-cases/payments/purchases.server";

const Query = z.object({ before: numberIn(z.number().int().positive()).optional().catch(undefined) });

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewLedger, { input: Query, whenSignedOut: "redirect" });
export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Your tokens",
    description: "What you have left, where it came from and what it was spent on.",
  });

const LOT_TITLES = {
  welcome: "Welcome tokens",
  purchased: "Bought tokens",
  pool: "Redeemed from the shared pool",
  subscription: "Subscription",
} as const;
type Entry = ReturnType<typeof useLoaderData<typeof loader>>["entries"][number];
const REASON_TEXTS: Record<Entry["reason"], string> = {
  goal: "A goal",
  join: "Joined a session",
  host_join: "A free spot in your session",
  follow: "Followed an activity",
  log: "A progress log",
  note: "A note",
  post: "A forum post",
  chat: "A block of chat messages",
  chat_return: "Unused chat messages, refunded",
  log_return: "A log that was undone, refunded",
  moved: "Moved to tokens that last 30 days, because these had ended",
  refund: "A seat before the start, refunded",
  reversed: "A reversed payment",
  owed: "Owed for a reversed payment whose tokens were spent",
  restored: "A reversed payment, settled in your favour",
  // Its entry breaks a constraint, so no history has one.
  shortfall: "Tokens",
};

export default function AccountTokens() {
  const data = useLoaderData<typeof loader>();
  const unspentLots = data.lots.filter((lot) => lot.remaining > 0);
  return (
    <AccountPage
      title="Your tokens"
      label="Tokens"
      actions={
        <Button asChild variant="primary">
          <Link to="/tokens">Buy tokens</Link>
        </Button>
      }
    >
      <p>
        <strong className="tabular text-2xl">{tokensOf(data.tokens)}</strong>{" "}
        <span className="text-soft">tokens left</span>
      </p>
      {data.reserves.map(({ sessionId, title, amount }) => (
        <p key={sessionId} className="text-soft">
          <span className="tabular">{tokensOf(amount)}</span> reserved for the chat of{" "}
          <Link to={`/sessions/${sessionId}`} className="underline underline-offset-4">
            {title}
          </Link>
          . The unused part is refunded when you leave or the session ends.
        </p>
      ))}
      {data.owed > 0 && (
        <Notice tone="warning">
          You owe {tokensOf(data.owed)} tokens: a payment was reversed after its tokens were spent. Your
          balance stays as it is.
        </Notice>
      )}
      <Section title="What you have">
        {unspentLots.length === 0 && (
          <p className="text-soft">Nothing is left. Buy some, or redeem free ones.</p>
        )}
        <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
          {unspentLots.map((lot) => (
            <Card as="li" key={lot.id}>
              <p className="font-semibold">{LOT_TITLES[lot.kind]}</p>
              <p className="tabular">
                {tokensOf(lot.remaining)} of {tokensOf(lot.granted)} left
              </p>
              <p className="text-sm text-soft">
                {lot.scope === "goals" ? "For goals, logs and notes. " : ""}
                {lot.expiresAt ? (
                  <>
                    Good until <Time at={lot.expiresAt} look="date" />
                  </>
                ) : (
                  "Never expires"
                )}
              </p>
            </Card>
          ))}
        </ul>
      </Section>
      <div className="grid grid-cols-1 gap-x-12 gap-y-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Section title="What happened">
          {data.entries.length === 0 ? (
            <p className="text-soft">Nothing has been spent yet.</p>
          ) : (
            <table className="w-full">
              <caption className="sr-only">Token entries, newest first</caption>
              <thead className="sr-only">
                <tr>
                  <th scope="col">What</th>
                  <th scope="col">When</th>
                  <th scope="col">Tokens</th>
                </tr>
              </thead>
              <tbody>
                {data.entries.map((entry) => (
                  <tr key={entry.id} className="border-b border-line">
                    <th scope="row" className="py-2 text-start font-normal">
                      {REASON_TEXTS[entry.reason]}
                    </th>
                    <td className="py-2 pe-3 text-sm text-soft">
                      <Time at={entry.createdAt} />
                    </td>
                    <td className="tabular py-2 text-end">
                      {entry.amount > 0 ? "+" : "−"}
                      {tokensOf(Math.abs(entry.amount))}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {data.olderBefore && (
            <Button asChild className="self-start">
              <Link to={`?before=${data.olderBefore}`}>Older</Link>
            </Button>
          )}
        </Section>
        <div className="flex flex-col gap-6">
          <Section title="What came in" id="came-in">
            <ul>
              {data.granted.map((lot) => (
                <li key={lot.id} className="grid grid-cols-[1fr_auto] gap-x-3 border-b border-line py-2">
                  <span>{LOT_TITLES[lot.kind]}</span>
                  <span className="tabular text-end">+{tokensOf(lot.granted)}</span>
                  <span className="col-span-2 text-sm text-soft">
                    <Time at={lot.createdAt} look="date" />
                    {lot.isExpired && lot.remaining > 0 && `, ${tokensOf(lot.remaining)} of them expired`}
                  </span>
                </li>
              ))}
            </ul>
          </Section>
          {data.purchases.length > 0 && (
            <Section title="Receipts" id="receipts">
              <ul>
                {data.purchases.map((purchase) => (
                  <li
                    key={purchase.id}
                    className="grid grid-cols-[1fr_auto] gap-x-3 border-b border-line py-2"
                  >
                    <span>
                      {tokensOf(purchase.tokens)} tokens{purchase.toPool ? " for the shared pool" : ""}
                    </span>
                    <span className="tabular text-end font-semibold">{dollarText(purchase.cents)}</span>
                    <span className="col-span-2 text-sm break-all text-soft">
                      <Time at={purchase.createdAt} look="date" />, {purchase.paymentIntent}
                    </span>
                  </li>
                ))}
              </ul>
            </Section>
          )}
        </div>
      </div>
    </AccountPage>
  );
}
