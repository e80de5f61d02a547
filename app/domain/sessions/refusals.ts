// The sentences that refuse an act on sessions. Answers send them with the error code.

/** The page of a session shows this sentence too, before anybody presses Join. */
export const signInToJoin = "Please login or create an account to join a session";
/** The pages of a session and of its series show this sentence too. */
export const sessionFull = "This session is full and is not accepting additional participants.";

export const hostMakesCall = "Only the host may make a call.";
export const noCalls = "This site makes no calls. Please type a meeting link.";
export const authorRemovesAim = "Only its author, the host and admins may remove this.";
export const guestHasNoRole = "A guest cannot host or be an admin.";
export const notParticipant = "This person is not in this session.";
export const hasCalendar = "You already have a calendar address. Renew it to see a new one.";
export const noCalendar = "You have no calendar address. Create one first.";
export const noDate = "This session has no date yet.";
export const adminClaims = "Only an admin of this session may claim it.";
export const made = "This session has been made already.";
export const otherTitle = "Please choose another title.";
export const joinHutFirst = "Please join this hut first.";
export const superAdminMakesTemplate = "Only a super admin may make a template.";
export const goalHasLogs = "Somebody has logged progress for this goal, so it stays.";
export const noGoal = "This goal no longer exists.";
export const changing = "This session is changing right now. Please try again.";
export const changedElsewhere = "This session is being changed elsewhere. Please try again.";
export const noMessage = "Please write a message.";
export const noCode = "Please enter the code.";
export const wrongCode = "That code does not open this session.";
export const goalOfOther = "This goal is not part of this session.";
export const goalNotOfSession = "This goal does not belong to that session.";
export const roomIsSilent = "The room does not answer right now. Please try again.";
export const hostAndAdminsChangeTimers = "Only the host and admins may change the timers and goals.";
export const needsHost = "A session needs a host. Hand it to somebody else.";
export const hostIsAdmin = "The host is always an admin.";
/** The host does not learn the reason, which is private. */
export const cannotHost = "This person cannot host the session at the moment.";
export const joinToPost = "Please join the session to post in its forum.";
export const joinHutToPost = "Please join the hut to post in its forum.";
export const noText = "Please write something.";
export const posted = "This has been posted already.";
export const noPostParent = "The post you are replying to no longer exists.";
export const noPost = "There is no such post.";
export const authorEditsPost = "Only its author may edit a post.";
export const authorRemovesPost = "Only its author and the forum's moderators may remove a post.";
export const noHut = "There is no such hut.";
export const noSession = "There is no such session.";
export const recapForPeople = "The recap is for the people of this session.";
export const noRecap = "This session has no recap.";
export const hostAndAdminsStart = "Only the host and admins may start a session.";
export const hostEnds = "Only the host may end a session.";
export const hostDeletes = "Only the host may delete a session.";
export const inProgress = "This session is in progress. Please end it before you delete it.";
export const closing = "This session is still being closed. Please try again in a minute.";
export const superAdminResets = "Only a super admin may reset a session.";
export const cancelled = "This session was cancelled and its joins were refunded.";
export const noSeriesOfSession = "This session is not part of a series.";
export const seriesHostOnly = "Only the host of the series may do that.";
export const ownHost = "Nobody closes a series to its own host.";
export const joinToAttachGoal = "Please join the session to attach a goal to it.";
export const hostRepeats = "Only the host may repeat a session.";
export const noContribution = "Please write your contribution.";
export const hostAndAdminsEdit = "Only the host and admins may edit the content.";
export const hostChangesSeats =
  "Only the host may change the hut, the code, the limit, the links, free joining and the need of a host.";
export const superAdminResetsAny = "Only a super admin may reset a challenge.";
export const tooManyGoals = (most: number) => `At most ${most} goals, please.`;
export const everybodySeesStage = "Everybody may open the stage of this session.";
export const limitBelowGuests = (guests: number) =>
  `Guests may take ${guests} places. Please give at least as many, or fewer to guests.`;
