// The sentences that refuse an act on notices. Answers send them with the error code.

export const invitedTen = "You may invite ten people a day. Please go on tomorrow.";
export const badHours = "Please give both times as hours and minutes, like 22:00.";
export const noKind = (kind: string) => `There is no kind of notice called ${kind}.`;
export const noValue = (kind: string) => `Please choose a value that ${kind} has on this channel.`;
