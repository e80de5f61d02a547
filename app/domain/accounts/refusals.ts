// The sentences that refuse an act on accounts. A door answers them beside the code of the error.

export const ACCOUNT_REFUSALS = {
  seatKeptElsewhere: "You have kept your seat in another tab. Please reload the page.",
  noProof: "Please give your password, a code or a passkey.",
  demoIsLocal: "The demo accounts sign in only on the machine that runs this site.",
  usedResetLink: "This reset link does not work any more. Please ask for a new one.",
  tooManyPersons: (most: number) => `You can act under ${most} names at most.`,
  weakPassword: (part: string) => `Your password contains ${part}. Please choose one without it.`,
} as const;
