// The toast of a failed payment; the next attempt removes it.

export const PAYMENT_FAILED = "payment-failed";
