// The sentences that refuse an act on accounts. Answers send them with the error code.

export const seatKeptElsewhere = "You have kept your seat in another tab. Please reload the page.";
export const noProof = "Please give your password, a code or a passkey.";
export const demoIsLocal = "The demo accounts sign in only on the machine that runs this site.";
export const usedResetLink = "This reset link does not work any more. Please ask for a new one.";
export const tooManyPersons = (most: number) => `You can act under ${most} names at most.`;
export const weakPassword = (part: string) => `Your password contains ${part}. Please choose one without it.`;
