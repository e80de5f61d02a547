// The reference model of the ledger, in memory and without I/O. Tests compare the statements with it.
import { BASIC_SCOPE, CHAT_BLOCK, PRICES, type Priced } from "~/domain/tokens";

export type Lot = {
  reference: string;
  user: number;
  scope: "all" | "goals";
  granted: number;
  remaining: number;
  /** Infinity for a lot that never expires. */
  expiresAt: number;
};
const REFUND_LIFETIME = 30 * 86_400_000;
type TakenPart = { lot: Lot; amount: number };
export type Outcome = "done" | "nothing" | "INSUFFICIENT_TOKENS" | "refused";

export class Ledger {
  /** In the order of granting. */
  readonly lots: Lot[] = [];
  readonly paid = new Map<string, TakenPart[]>();
  readonly blocks = new Map<string, { size: number; isClosed: boolean }>();
  readonly #returned = new Set<string>();
  readonly reversals = new Map<
    string,
    { grant: string; lot: Lot; taken: number; owed: number; isUndone: boolean }
  >();

  grant(lot: Omit<Lot, "remaining">): Outcome {
    if (this.lots.some(({ reference }) => reference === lot.reference)) return "nothing";
    this.lots.push({ ...lot, remaining: lot.granted });
    return "done";
  }

  spend(user: number, what: Priced, reference: string, now: number): Outcome {
    if (this.paid.has(reference)) return "refused";
    return this.#take(user, reference, now, PRICES[what], PRICES[what], BASIC_SCOPE.includes(what));
  }

  /** Returns tokens to the lots that paid; for an expired lot, a new lot of 30 days gets them. */
  giveBack(reference: string, upTo: number, reason: "refund" | "chat_return", now: number): Outcome {
    if (this.#returned.has(reference)) return "nothing";
    const taken = this.paid.get(reference) ?? [];
    let rest = upTo;
    for (const { lot, amount } of [...taken].reverse()) {
      const returned = Math.min(amount, rest);
      rest -= returned;
      if (lot.expiresAt > now) lot.remaining += returned;
      else if (returned > 0)
        this.grant({
          reference: `${reason}:${reference}:${lot.reference}`,
          user: lot.user,
          scope: lot.scope,
          granted: returned,
          expiresAt: now + REFUND_LIFETIME,
        });
    }
    this.#returned.add(reference);
    return "done";
  }

  openBlock(user: number, reference: string, now: number): Outcome {
    if (this.blocks.has(reference)) return "refused";
    const outcome = this.#take(user, reference, now, CHAT_BLOCK * PRICES.chat, PRICES.chat, false);
    const taken = this.paid.get(reference) ?? [];
    if (outcome === "done")
      this.blocks.set(reference, {
        size: taken.reduce((sum, { amount }) => sum + amount, 0) / PRICES.chat,
        isClosed: false,
      });
    return outcome;
  }

  closeBlock(reference: string, used: number, now: number): Outcome {
    const block = this.blocks.get(reference);
    if (!block || block.isClosed) return "nothing";
    if (used >= block.size) return "nothing";
    block.isClosed = true;
    return this.giveBack(reference, (block.size - used) * PRICES.chat, "chat_return", now);
  }

  /** A payment of `paidCents` lost `cents`: takes them from the lot, and the missing rest becomes a debt. */
  reverse(id: string, grant: string, cents: number, paidCents: number): Outcome {
    const lot = this.lots.find(({ reference }) => reference === grant);
    const key = `${grant}:${id}`;
    if (!lot || this.reversals.has(key)) return "nothing";
    const claimed = [...this.reversals.values()]
      .filter((one) => one.grant === grant && !one.isUndone)
      .reduce((sum, one) => sum + one.taken + one.owed, 0);
    const claim = Math.min(Math.floor((lot.granted * cents) / paidCents), lot.granted - claimed);
    if (claim <= 0) return "nothing";
    const taken = Math.min(lot.remaining, claim);
    lot.remaining -= taken;
    this.reversals.set(key, { grant, lot, taken, owed: claim - taken, isUndone: false });
    return "done";
  }

  restore(id: string, grant: string): Outcome {
    const reversal = this.reversals.get(`${grant}:${id}`);
    if (!reversal || reversal.isUndone) return "nothing";
    reversal.isUndone = true;
    reversal.lot.remaining += reversal.taken;
    return "done";
  }

  owed(user: number): number {
    return [...this.reversals.values()]
      .filter((one) => one.lot.user === user && !one.isUndone)
      .reduce((sum, one) => sum + one.owed, 0);
  }

  balance(user: number, now: number): number {
    return this.lots
      .filter((lot) => lot.user === user && lot.expiresAt > now)
      .reduce((sum, lot) => sum + lot.remaining, 0);
  }

  /** Takes at most `most` and at least `least` from the eligible lots, earliest expiry first. */
  #take(
    user: number,
    reference: string,
    now: number,
    maxAmount: number,
    minAmount: number,
    isForGoals: boolean,
  ): Outcome {
    const eligible = this.lots
      .filter((lot) => lot.user === user && lot.remaining > 0 && lot.expiresAt > now)
      .filter((lot) => isForGoals || lot.scope === "all")
      .sort((a, b) => (a.expiresAt < b.expiresAt ? -1 : a.expiresAt > b.expiresAt ? 1 : 0));
    if (eligible.reduce((sum, lot) => sum + lot.remaining, 0) < minAmount) return "INSUFFICIENT_TOKENS";
    const taken: TakenPart[] = [];
    let rest = maxAmount;
    for (const lot of eligible) {
      const amount = Math.min(lot.remaining, rest);
      if (amount === 0) break;
      lot.remaining -= amount;
      rest -= amount;
      taken.push({ lot, amount });
    }
    this.paid.set(reference, taken);
    return "done";
  }
}
