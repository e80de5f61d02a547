// The sentences that refuse an act on payments. Answers send them with the error code.

export const signInToBuy = "Please login or create an account to purchase tokens.";
export const signInToRedeem = "Please login or create an account to redeem tokens.";
export const noPayment = "We do not know this payment.";
export const unpaid = "This payment has not been completed.";
export const creditedToPayer =
  "The tokens of this payment are in your own account already. Mark the next one for the pool when you begin it.";
export const badAmount = "Please give a number of tokens above 0.";
export const signInToSubscribe = "Please login or create an account to subscribe.";
export const noPlan = "We do not have this plan.";
export const subscribed = "You are already subscribed!";
export const renewing =
  "The renewal of your plan is being paid. Please change it after that, in about an hour.";
export const noCard = "We do not know this card.";
export const noSubscription = "You have no such subscription.";
export const beingPaid = "Your payment is being made right now. Please look again in a moment.";
export const badSignature = "The signature does not hold.";
export const otherPrice = (currency: string) => `This payment is not the price of tokens in ${currency}.`;
export const redeemedBefore = (next: string) =>
  `You have redeemed free tokens in the last 30 days. Your next chance is on ${next}.`;
export const poolTooSmall = (next: string) =>
  `The shared pool does not hold 500 tokens right now. Please try again on ${next}.`;
export const networkRedeemed = (next: string) =>
  `Your network has redeemed free tokens ten times today. Your next chance is on ${next}.`;
