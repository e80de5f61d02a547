// The interface between a card form and its surrounding form, for every provider.

export type IntentToConfirm = { clientSecret: string; type: "payment" | "setup"; savesCard: boolean };

export type PaidIntent = { id: string; status: string; method: string | null };

export type CardHandle = {
  /** True once all fields are filled. */
  isComplete(): boolean;
  /** Confirms with the provider. Throws CardProblem with the provider's own sentence. */
  confirm(intent: IntentToConfirm): Promise<PaidIntent>;
};

/** The provider's sentence, shown under the card field (U-11). */
export class CardProblem extends Error {}
