// The subscription on the account page (P-12).
export const SubscriptionSlot = () => null;
