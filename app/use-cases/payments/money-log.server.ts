// Typed log lines of payments: failures, reversals, settlements. They contain ids, never secrets.
import { logLine } from "~/domain/log-line";

type MoneyLines = {
  "payment-reversed": { reversal: string; paymentIntent: string; cents: number };
  "payment-restored": { reversal: string; paymentIntent: string; cents: number };
  "renewal-failed": { subscription: number; error: unknown };
  "reconciliation-failed": { paymentIntent: string; error: unknown };
  "webhook-refused": Record<never, never>;
  "provider-event-failed": { id: string; type: string; error: unknown; isGivenUp: boolean };
  "provider-events-cut": { since: number };
  "provider-failed": { call: string; error: unknown };
  "write-failed": { what: string; error: unknown };
};

/** One line of JSON; errors are cut to 200 characters. */
export function logMoney<Kind extends keyof MoneyLines>(event: Kind, line: MoneyLines[Kind]): void {
  console.error(
    logLine({ event, ...line }, (key, value) => (key === "error" ? String(value).slice(0, 200) : value)),
  );
}
