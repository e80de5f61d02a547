// The sentences that refuse an act on activities. A door answers them beside the code of the error.

export const ACTIVITY_REFUSALS = {
  ownerChanges: "Only its owner may change an activity.",
  onlyHutHides: "Only a hut hides an activity.",
  ownerDeletes: "Only its owner may delete an activity.",
  hasSessions: "This activity has upcoming or running sessions. End or delete them first.",
  full: "This activity has no free places left.",
  noTemplate: "We could not find this template.",
  followersAlready: (count: number) => `There are ${count} followers already.`,
} as const;
