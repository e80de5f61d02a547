// The sentences that refuse an act on series. Answers send them with the error code.

export const noSeriesOfSession = "This session belongs to no series.";
export const hostChangesOthers = "Only the host of a series may change its other sessions.";
export const otherDay = "Another day needs another rule: please change it on the page of the series.";
export const ruleGivesStart = "The rule gives the start. Please send started_at beside it.";
export const zeroOrOne = "Please choose 0 or 1.";
export const noPostParent = "The post you are replying to no longer exists.";
export const noSessionToPostIn = "This series has no session to post in.";
export const noSuchPerson = "We could not find this person.";
export const joiningBecameFree =
  "Joining became free meanwhile: you would pay for everybody. Please decide again.";
export const startOnOtherDay = "The start is on another day than it repeats.";
export const needsDate = "A series needs a date and time.";
export const templateRepeats = "A template cannot repeat.";
export const tooLong = "That is too long. Please shorten it.";
export const hostOnly = "Only the host may change a series.";
export const noSeries = "There is no such series.";
export const ended = "This series has ended.";
export const dayIsOver = "This day is over, or its session was cancelled.";
export const noDay = "This is no day of the series.";
export const movedTooFar = "Please move a day by at most a week.";
export const youHost = "You host this series.";
export const changing = "This series is changing right now. Please try again.";
export const everybodySeesStage = "Everybody may open the stage of this series.";
export const tooManyHosts = (most: number) => `A series has at most ${most} hosts in turn.`;
export const tooMany = (most: number) => `You have ${most} series already.`;
