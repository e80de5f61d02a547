// The sentences that refuse an act on huts. A door answers them beside the code of the error.

export const HUT_REFUSALS = {
  ownerTakesSessions: "Only the hut's owner may take over its sessions.",
  ownerAndModeratorsOnly: "Only its owner and moderators may do that.",
  publicHasNoLink: "Everybody may join this hut. Only a private hut has a link.",
  noRequest: "There is no open request of this person.",
  changing: "This hut's sessions are changing right now. Please try again.",
  ownerChanges: "Only its owner may change a hut.",
  ownerDeletes: "Only its owner may delete a hut.",
  ownerOrActivityOwner: "Only the hut's owner, or a member who owns the activity, may do that.",
  notMember: "This person does not belong to this hut.",
  needsOwner: "A hut needs an owner. Hand it to somebody else.",
  ownerIsModerator: "The owner may do all that a moderator may.",
  ownerAndModeratorsSee: "Only its owner and moderators see the members of a hut.",
  keepersOnly: "Only the people who keep a hut may do that.",
  noPerson: "There is no such person.",
  tooManySessions: (most: number) =>
    `You can take over at most ${most} sessions at once. Please make their hosts members instead.`,
} as const;
