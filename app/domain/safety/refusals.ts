// The sentences that refuse an act on reports, blocks and decisions. A door answers them beside the code of the error.

export const SAFETY_REFUSALS = {
  pageIsOld: "Please read the page of this session again instead.",
  noDecision: "Please choose what to do.",
  ownerStays: "The owner of a hut cannot be kept out of it.",
  noAppealText: "Please write why the decision should change.",
  signInToReport: "Please sign in to report this.",
  noAccount: "There is no such account.",
} as const;
