// The sentences that refuse an act on activities. Answers send them with the error code.

export const ownerChanges = "Only its owner may change an activity.";
export const onlyHutHides = "Only a hut hides an activity.";
export const ownerDeletes = "Only its owner may delete an activity.";
export const hasSessions = "This activity has upcoming or running sessions. End or delete them first.";
export const full = "This activity has no free places left.";
export const noTemplate = "We could not find this template.";
export const followersAlready = (count: number) => `There are ${count} followers already.`;
