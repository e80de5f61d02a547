// The sentences that refuse acts of more than one noun. Answers send them with the error code.

export const signIn = "Please sign in to use that feature.";
export const signInToLog = "Please sign in to log progress.";
export const signInToPost = "Please sign in to post a message.";
export const notFound = "We could not find that.";
export const noHut = "We could not find this hut.";
export const noActivity = "We could not find this activity.";
export const noBook = "We could not find this book.";
export const chooseOwnHut = "Please choose a hut you belong to.";
export const noSuchName = "Nobody here has this name.";
export const ownerOnly = "Only its owner may do that.";
export const hostOnly = "Only the host may do that.";
export const noReason = "Please give a reason.";
export const noTimeZone = "We do not know this time zone.";
export const noDateAhead = "This rule has no date ahead.";
export const participantsAlready = (count: number) => `There are ${count} participants already.`;
export const hostAndAdminsChange = "Only the host and admins may change a session.";
export const signedInAs = (username: string) => `You are signed in as ${username} now.`;
export const otherRequest = "This request key was used for another request.";
export const requestRuns = "This request is being worked on. Please wait a moment.";
export const tooManyAttempts = (span: string) => `Too many attempts. Please wait ${span} and try again.`;
export const useAtMost = (most: number) => `Please use at most ${most.toLocaleString("en")} characters.`;
export const writeAtMost = (most: number) => `Please write at most ${most.toLocaleString("en")} characters.`;
export const hostAndAdminsOnly = "Only the host and admins may do that.";
