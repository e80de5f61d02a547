// The id of the toast of a failed payment. The next attempt removes the toast by it.

export const PAYMENT_FAILED_TOAST = "payment-failed";
