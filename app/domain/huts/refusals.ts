// The sentences that refuse an act on huts. Answers send them with the error code.

export const ownerTakesSessions = "Only the hut's owner may take over its sessions.";
export const ownerAndModeratorsOnly = "Only its owner and moderators may do that.";
export const publicHasNoLink = "Everybody may join this hut. Only a private hut has a link.";
export const noRequest = "There is no open request of this person.";
export const changing = "This hut's sessions are changing right now. Please try again.";
export const ownerChanges = "Only its owner may change a hut.";
export const ownerDeletes = "Only its owner may delete a hut.";
export const ownerOrActivityOwner = "Only the hut's owner, or a member who owns the activity, may do that.";
export const ownerAttachesPrivate = "Only a member who owns a private activity may attach it to a hut.";
export const privateTakesOwn = "Only a member who owns an activity may attach it to a private hut.";
export const notMember = "This person does not belong to this hut.";
export const oneChange = "Please change the role, the mute or the ban, one at a time.";
/** The owner does not learn the reason, which is private. */
export const cannotOwn = "This person cannot own the hut at the moment.";
/** The keepers do not learn the reason: a suspension is private. */
export const cannotEnter = "This person cannot enter the hut at the moment.";
export const needsOwner = "A hut needs an owner. Hand it to somebody else.";
export const ownerIsModerator = "The owner may do all that a moderator may.";
export const ownerAndModeratorsSee = "Only its owner and moderators see the members of a hut.";
export const keepersOnly = "Only the people who keep a hut may do that.";
export const noPerson = "There is no such person.";
export const tooManySessions = (most: number) =>
  `You can take over at most ${most} sessions at once. Please make their hosts members instead.`;
