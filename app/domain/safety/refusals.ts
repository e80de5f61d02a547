// The sentences that refuse an act on reports, blocks and decisions. Answers send them with the error code.

export const pageIsOld = "Please read the page of this session again instead.";
export const noDecision = "Please choose what to do.";
export const ownerStays = "The owner of a hut cannot be kept out of it.";
export const noAppealText = "Please write why the decision should change.";
export const signInToReport = "Please sign in to report this.";
export const noAccount = "There is no such account.";
