// The sentences that refuse an act on payments. A door answers them beside the code of the error.

export const PAYMENT_REFUSALS = {
  signInToBuy: "Please login or create an account to purchase tokens.",
  signInToRedeem: "Please login or create an account to redeem tokens.",
  noPayment: "We do not know this payment.",
  unpaid: "This payment has not been completed.",
  badAmount: "Please give a number of tokens above 0.",
  signInToSubscribe: "Please login or create an account to subscribe.",
  noPlan: "We do not have this plan.",
  subscribed: "You are already subscribed!",
  noCard: "We do not know this card.",
  noSubscription: "You have no such subscription.",
  subscriptionEnded: "This subscription has ended already.",
  badSignature: "The signature does not hold.",
  otherPrice: (currency: string) => `This payment is not the price of tokens in ${currency}.`,
  redeemedBefore: (next: string) =>
    `You have redeemed free tokens in the last 30 days. Your next chance is on ${next}.`,
  poolTooSmall: (next: string) =>
    `The shared pool does not hold 500 tokens right now. Please try again on ${next}.`,
  networkRedeemed: (next: string) =>
    `Your network has redeemed free tokens ten times today. Your next chance is on ${next}.`,
} as const;
