// What a card form offers to the form around it, whichever provider draws it.

export type PaidIntent = { id: string; status: string; method: string | null };

export type CardHandle = {
  /** True once everything is typed that a card needs. */
  isComplete(): boolean;
  /** Confirms with the provider. Throws CardProblem with the provider's own sentence. */
  confirm(clientSecret: string, type: "payment" | "setup", save: boolean): Promise<PaidIntent>;
};

/** The provider's sentence, shown under the card field (U-11). */
export class CardProblem extends Error {}
