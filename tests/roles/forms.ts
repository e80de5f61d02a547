// The forms of the pages: their addresses, the answer of each intent to every role, and their fields; table.ts describes
// the format.
import type { Actor, Thing } from "./cast";
import { readTable } from "./table";

/** The address that the forms of a file of app/routes post to, by `file` or `file intent`. */
export const ADDRESS_OF: Record<string, string> = {
  "accounts/account": "/account",
  "safety/blocks": "/account/blocks",
  "notices/notifications": "/account/notifications",
  "notices/my-notices": "/my/notices",
  "accounts/calendar": "/account/calendar",
  "accounts/api": "/account/api",
  "safety/admin-reports": "/admin/reports",
  "safety/admin-deliveries": "/admin",
  "safety/appeal": "/account/appeal",
  "safety/report": "/account/report/:kind/:id",
  "safety/suspended": "/account/suspended",
  "safety/admin-account": "/admin/users/:username",
  "sessions/people": "/sessions/:session/people",
  "sessions/view": "/sessions/view/stage",
  "accounts/confirm-email": "/account/confirm-email",
  "accounts/restore-email": "/account/restore-email",
  "notices/unsubscribe": "/account/unsubscribe/:token",
  "activities/form create": "/challenges/create",
  "activities/form update": "/challenges/:slug/update",
  "activities/activity": "/activities/:slug",
  "accounts/security": "/account/security",
  "accounts/confirm": "/account/confirm",
  "accounts/auth login": "/auth/login",
  "accounts/auth two-step": "/auth/two-step",
  "accounts/auth passkey": "/auth/login",
  "accounts/auth other-tab": "/auth/register",
  "accounts/auth register": "/auth/register",
  "accounts/forgot-password": "/forgot-password",
  "accounts/reset-password": "/reset-password",
  "huts/form create": "/groups/create",
  "huts/form update": "/groups/:hut/update",
  "huts/forum": "/group/:hut/forum",
  "huts/members": "/group/:hut/members",
  "huts/form delete": "/groups/:hut/update",
  "huts/invite": "/groups/invite",
  "huts/hut": "/group/:hut",
  "items/action": "/me",
  "my-action": "/my/goals",
  "series/series": "/series/:series",
  "series/my-series": "/my/series/:series",
  "series/my-series-list": "/my/series",
  "sessions/action": "/sessions/:session",
  "sessions/chat": "/sessions/:session/chat",
  "sessions/create": "/challenges/events/create",
  "sessions/forum": "/sessions/:session/hut",
  "sessions/goals-action": "/sessions/:session/goals",
  "sessions/update": "/events/:event/update",
  "items/snippet": "/books/:book/snippets/:snippet",
  "payments/tokens": "/tokens",
  "accounts/logout": "/auth/logout",
  theme: "/account/theme",
};

const INTENTS = readTable(
  { visitor: "UNAUTHENTICATED" },
  `
  accounts/account profile              | -          | ok
  accounts/account profile              | password   | INVALID, ok owner      | ok | -      # another address, with this password
  accounts/account password             | -          | INVALID, INVALID visitor # as at the end of this table
  accounts/security end-login           | login      | ok                     | ok | ok     # ends nobody else's, and says nothing of it
  accounts/security end-other-logins    | -          | ok
  accounts/account add-person           | -          | ok
  accounts/account delete-account       | -          | INVALID, INVALID visitor # the same
  accounts/calendar calendar.create      | -          | ok
  accounts/calendar calendar.renew       | -          | ok                     # the form before made an address
  accounts/calendar calendar.off         | -          | ok
  accounts/api key.create               | -          | ok
  accounts/api key.revoke               | -          | ok                     # of nobody: it revokes nothing
  accounts/security two-step.begin      | -          | ok
  accounts/security two-step.confirm    | -          | INVALID, INVALID visitor # no code; a visitor's is looked at first
  accounts/security two-step.codes      | -          | CONFLICT               # two-step sign-in is off
  accounts/security two-step.off        | -          | ok
  accounts/security passkey.rename      | -          | NOT_FOUND
  accounts/security passkey.remove      | -          | NOT_FOUND
  accounts/confirm password             | -          | INVALID, INVALID visitor # as at the end of this table
  accounts/confirm code                 | -          | INVALID, INVALID visitor # the same
  accounts/account cancel-subscription  | subscription | NOT_FOUND, ok subscriber | -
  accounts/account resume-subscription  | -          | ok                     # the cell before has cancelled the subscriber's
  safety/admin-deliveries install-library | -        | FORBIDDEN, ok super    | - | -
  safety/admin-deliveries run-night | -              | FORBIDDEN, ok super    | - | -
  safety/admin-deliveries send-again    | delivery   | FORBIDDEN, ok super    | - | FORBIDDEN, NOT_FOUND super
  safety/admin-reports decide           | reported   | FORBIDDEN, ok super    | - | INVALID, INVALID visitor # of no kind
  safety/admin-reports answer           | appealed   | FORBIDDEN, ok super    | - | FORBIDDEN, NOT_FOUND super
  safety/report report                  | newcomer   | ok                     | - | INVALID, INVALID visitor # of no kind
  notices/notifications notices.settings | -      | ok
  notices/my-notices notices.read       | -          | ok
  safety/blocks block                   | newcomer   | ok                     | -
  safety/blocks unblock                 | newcomer   | ok                     | - | NOT_FOUND
  accounts/account distance-unit        | -          | ok
  accounts/account show-attended        | person     | NOT_FOUND, ok owner
  accounts/account switch-person        | person     | NOT_FOUND, ok owner
  payments/tokens redeem                | -          | ok
  payments/tokens add-free              | -          | FORBIDDEN, ok super

  activities/form create                | -          | ok
  activities/form update                | activity   | FORBIDDEN, ok owner super
  activities/activity follow            | activity   | ok
  activities/activity leave             | activity   | ok
  activities/activity reset             | activity   | FORBIDDEN, ok super    | FORBIDDEN, ok super | FORBIDDEN, NOT_FOUND super
  activities/activity delete            | activity   | FORBIDDEN, ok owner super
  huts/form create                      | -          | ok
  huts/form update                      | hut        | FORBIDDEN, ok hut-owner super
  huts/forum post                       | hut        | FORBIDDEN, ok member hut-owner moderator owner
  huts/forum post.edit                  | hut post   | FORBIDDEN, ok member | ok, FORBIDDEN hut-owner # in the hut of its owner the post is a member's
  huts/forum post.remove                | hut post   | FORBIDDEN, ok member hut-owner moderator super
  huts/form delete                      | hut        | FORBIDDEN, ok hut-owner super
  huts/form delete                      | private hut | NOT_FOUND, FORBIDDEN member moderator owner, ok hut-owner super
  huts/members renew                    | private hut | NOT_FOUND, FORBIDDEN member owner, ok hut-owner moderator super
  huts/members accept                   | hut request | NOT_FOUND, FORBIDDEN member owner, ok hut-owner moderator super
  huts/members refuse                   | hut request | NOT_FOUND, FORBIDDEN member owner, ok hut-owner moderator super
  sessions/view view                    | -          | INVALID, INVALID visitor
  huts/invite open                      | invitation | ok, ok visitor         | ok | INVALID
  huts/invite enter                     | invitation | ok                     | ok | INVALID
  huts/invite request                   | private hut | ok                    | ok | ok
  huts/members mute                     | hut        | FORBIDDEN, ok hut-owner moderator super
  huts/members ban                      | hut        | FORBIDDEN, ok hut-owner moderator super
  huts/members let-in                   | hut        | FORBIDDEN, ok hut-owner moderator super
  huts/members role                     | hut        | FORBIDDEN, ok hut-owner super
  huts/members hand-over                | hut        | FORBIDDEN, ok hut-owner super
  huts/hut join                         | hut        | ok
  huts/hut leave                        | hut        | ok
  huts/hut attach                       | hut and activity | FORBIDDEN, ok hut-owner owner super
  huts/hut detach                       | hut and activity | FORBIDDEN, ok hut-owner owner super
  huts/hut attach                       | my activity | FORBIDDEN, ok hut-owner moderator owner member super

  items/action item.create              | -          | ok
  items/action item.update              | item       | FORBIDDEN, ok owner
  items/action item.update              | draft      | NOT_FOUND, ok owner
  items/action item.publish             | item       | FORBIDDEN, ok owner
  items/action item.step                | item       | FORBIDDEN, ok owner
  items/action item.delete              | item       | FORBIDDEN, ok owner
  items/snippet paraphrase.create       | snippet    | ok
  items/snippet paraphrase.update       | paraphrase | FORBIDDEN, ok owner

  my-action goal.create                 | -          | ok
  my-action goal.update                 | goal       | NOT_FOUND, ok owner
  my-action goal.complete               | goal       | NOT_FOUND, ok owner
  my-action goal.reopen                 | goal       | NOT_FOUND, ok owner
  my-action goal.delete                 | goal       | NOT_FOUND, ok owner
  my-action goal.update                 | session goal | NOT_FOUND, ok host admin super
  my-action goal.complete               | session goal | NOT_FOUND, ok host admin super
  my-action goal.reopen                 | session goal | NOT_FOUND, ok host admin super
  my-action goal.delete                 | session goal | NOT_FOUND, CONFLICT host admin super | CONFLICT
  my-action key.log                     | goal       | NOT_FOUND, ok owner
  my-action list.tick                   | goal       | NOT_FOUND, ok owner
  my-action day.skip                    | goal       | NOT_FOUND, ok owner
  my-action log.quick                   | goal       | NOT_FOUND, ok owner
  my-action log.begin                   | goal       | NOT_FOUND, ok owner
  my-action log.create                  | goal       | NOT_FOUND, ok owner
  my-action log.start                   | log        | NOT_FOUND, ok owner
  my-action log.pause                   | running log | NOT_FOUND, ok owner
  my-action log.stop                    | running log | NOT_FOUND, ok owner
  my-action log.done                    | log        | NOT_FOUND, ok owner
  my-action log.reset                   | running log | NOT_FOUND, ok owner
  my-action log.update                  | log        | NOT_FOUND, ok owner
  my-action log.span                    | log        | NOT_FOUND, ok owner
  my-action log.delete                  | log        | NOT_FOUND, ok owner
  my-action note.create                 | goal       | INVALID, ok owner      | ok | INVALID
  my-action note.update                 | note       | NOT_FOUND, ok owner
  my-action note.tick                   | note       | NOT_FOUND, ok owner
  my-action note.delete                 | note       | NOT_FOUND, ok owner

  series/my-series-list create          | session    | FORBIDDEN, ok host
  series/my-series pause                | series     | NOT_FOUND, FORBIDDEN participant, ok host super
  series/my-series resume               | series     | NOT_FOUND, FORBIDDEN participant, ok host super
  series/my-series end                  | series     | NOT_FOUND, FORBIDDEN participant, ok host super
  series/my-series view-link            | series     | NOT_FOUND, FORBIDDEN participant super, CONFLICT host | CONFLICT
  series/my-series view-link.end        | series     | NOT_FOUND, FORBIDDEN participant super, ok host
  series/my-series host.invite          | series     | NOT_FOUND, FORBIDDEN participant, ok host super
  series/my-series host.move            | series     | NOT_FOUND, FORBIDDEN participant, ok host super
  series/my-series host.remove          | series     | NOT_FOUND, ok participant host super
  series/my-series host.leave           | series     | NOT_FOUND, ok participant host super
  series/my-series host.accept          | series     | NOT_FOUND, ok participant | NOT_FOUND
  series/my-series rule                 | series     | NOT_FOUND, FORBIDDEN participant, ok host super
  series/my-series day.skip             | series     | NOT_FOUND, FORBIDDEN participant, ok host super
  series/my-series day.take-up          | series     | NOT_FOUND, FORBIDDEN participant, ok host super
  series/my-series day.move             | series     | NOT_FOUND, FORBIDDEN participant, ok host super
  series/my-series standing.take        | series     | ok, CONFLICT host      | CONFLICT
  series/my-series standing.end         | series     | ok
  series/series join                    | held series | ok
  series/series leave                   | held series | ok, CONFLICT host     | CONFLICT
  series/series standing.take           | series     | ok, CONFLICT host      | CONFLICT
  series/series standing.take           | private series | NOT_FOUND, ok member moderator owner super, CONFLICT hut-owner | CONFLICT
  series/series standing.end            | series     | ok
  series/series post                    | held series | FORBIDDEN, ok host admin ex-admin participant
  series/series post                    | private series | NOT_FOUND, CONFLICT member hut-owner moderator owner super | CONFLICT
  series/series post.edit               | series post | FORBIDDEN, ok host
  series/series post.remove             | series post | FORBIDDEN, ok host admin super
  sessions/action standing.take         | series     | ok, CONFLICT host      | CONFLICT
  sessions/action standing.end          | series     | ok
  sessions/create create                | activity   | ok                     | ok | INVALID
  sessions/update update                | session    | FORBIDDEN, ok host admin super
  sessions/action join                  | session    | ok, ok guest
  sessions/action join                  | coded      | ok, ok guest
  sessions/action sit-in                | session    | ok, ok guest
  sessions/action leave                 | session    | ok, CONFLICT host, ok guest      | CONFLICT
  sessions/action wait                  | full       | ok, CONFLICT host admin ex-admin participant | CONFLICT
  sessions/action unwait                | full       | ok
  sessions/action ready                 | session    | FORBIDDEN, ok host admin ex-admin participant, ok guest
  sessions/action start                 | session    | FORBIDDEN, ok host admin super
  sessions/action end                   | session    | FORBIDDEN, ok host super
  sessions/action end                   | running    | FORBIDDEN, ok host super
  sessions/action complete              | running    | FORBIDDEN, ok host admin ex-admin participant, ok guest
  sessions/action aim                   | running    | FORBIDDEN, ok host admin ex-admin participant, ok guest
  sessions/action seat.keep             | session    | FORBIDDEN, ok host admin ex-admin participant
  sessions/action claim                 | running    | FORBIDDEN, CONFLICT admin, ok host # no admin of the tests has a socket
  sessions/action call                  | session    | FORBIDDEN, CONFLICT host super | CONFLICT # these tests name no site of calls
  sessions/action repeat                | session    | FORBIDDEN, ok host
  sessions/action reset                 | session    | FORBIDDEN, ok super    | FORBIDDEN, ok super | FORBIDDEN, NOT_FOUND super
  sessions/action texts.save            | session    | FORBIDDEN, ok host admin super
  sessions/action texts.contribute      | turns      | FORBIDDEN, ok host, FORBIDDEN guest
  sessions/action pass                  | turns      | FORBIDDEN, ok host, FORBIDDEN guest
  sessions/action delete                | session    | FORBIDDEN, ok host super
  sessions/action delete                | running    | FORBIDDEN, CONFLICT host super | CONFLICT
  sessions/chat say                     | running    | FORBIDDEN, ok host admin ex-admin participant, ok guest
  sessions/chat line.edit               | line       | FORBIDDEN, ok host
  sessions/chat line.remove             | line       | FORBIDDEN, ok host admin super
  sessions/chat slow-mode               | running    | FORBIDDEN, ok host admin super
  sessions/people mute                  | session    | FORBIDDEN, ok host admin super
  sessions/people remove                | session    | FORBIDDEN, ok host super
  sessions/people remove                | keeping out | FORBIDDEN, ok host super
  sessions/people notify                | session    | FORBIDDEN, ok host admin super
  sessions/people line                  | running    | FORBIDDEN, ok host admin
  sessions/people line.clear            | running    | FORBIDDEN, ok host admin
  sessions/people view-link             | coded      | FORBIDDEN, ok host
  sessions/people view-link.end         | coded      | FORBIDDEN, ok host
  sessions/people aim.remove            | running    | FORBIDDEN, ok host admin participant super # the participant's own
  sessions/people guest.rename          | session    | FORBIDDEN, NOT_FOUND host super | NOT_FOUND  # the participant is no guest
  sessions/people guests.remove         | session    | FORBIDDEN, ok host super
  sessions/people let-in                | session    | FORBIDDEN, ok host super
  safety/admin-account suspend          | suspect    | FORBIDDEN, ok super    | -  | FORBIDDEN, NOT_FOUND super
  safety/admin-account lift-suspension  | suspect    | FORBIDDEN, ok super    | -  | FORBIDDEN, NOT_FOUND super
  safety/suspended delete-account       | -          | INVALID, INVALID visitor # an empty password
  sessions/forum post                   | session    | FORBIDDEN, ok host admin ex-admin participant
  sessions/forum post.edit              | session post | FORBIDDEN, ok host
  sessions/forum post.remove            | session post | FORBIDDEN, ok host admin super
  sessions/goals-action task.create     | session    | FORBIDDEN, ok host admin super
  sessions/goals-action task.update     | session    | FORBIDDEN, ok host admin super
  sessions/goals-action task.delete     | session    | FORBIDDEN, ok host admin super
  sessions/goals-action task.copy       | session    | ok
  sessions/goals-action goal.attach     | session    | FORBIDDEN, ok host admin ex-admin participant
  sessions/goals-action goal.attach     | goal into a session | NOT_FOUND, ok owner | ok
  sessions/goals-action task.log        | session    | FORBIDDEN, ok host admin ex-admin participant, ok guest
`,
);

const OPEN_INTENTS = readTable(
  {},
  `
  # A field left empty spares the hash of a password.
  accounts/auth login                   | -          | INVALID, INVALID guest
  accounts/auth other-tab               | -          | ok, ok guest
  accounts/auth passkey                 | -          | INVALID, INVALID guest
  accounts/auth register                | -          | INVALID, INVALID guest
  accounts/auth two-step                | -          | UNAUTHENTICATED, UNAUTHENTICATED guest # the token of no sign-in
  accounts/forgot-password ask          | -          | ok
  accounts/reset-password reset         | -          | INVALID
  accounts/confirm-email confirm        | -          | INVALID                # the secret of no link
  accounts/confirm-email send           | -          | CONFLICT, UNAUTHENTICATED visitor  # all others are confirmed
  accounts/restore-email restore        | -          | INVALID
  safety/appeal appeal                  | -          | INVALID
  notices/unsubscribe stop              | -          | NOT_FOUND              # a token that nobody signed
  accounts/logout                       | -          | ok, ok guest
  theme                                 | -          | ok, ok guest
`,
);
export const INTENT_ROWS = [...INTENTS, ...OPEN_INTENTS];

let count = 0;
const fresh = () => `y${++count}${crypto.randomUUID().slice(0, 6)}`;
const text = (value: string | number | undefined) => String(value ?? "");
/** A missing series has no day, and any date shows that it is missing. */
const dayOf = (day: string | number | undefined) => (/^\d{4}-/.test(text(day)) ? text(day) : "2026-12-01");

type Form = Record<string, string>;
/** The fields of each form; an intent without a line here sends only its name. */
export const FORMS: Record<string, (thing: Thing, actor: Actor) => Form> = {
  "accounts/account profile": ({ password }, { user }) => ({
    ...(typeof password === "string"
      ? { email: `${fresh()}@example.com`, currentPassword: password }
      : { email: user?.email ?? "nobody@example.com" }),
    firstName: "Ada",
    lastName: "",
  }),
  "accounts/api key.create": () => ({ name: "Phone", scopes: "read", days: "30" }),
  "accounts/api key.revoke": () => ({ key: "no-such-key" }),
  "accounts/security passkey.rename": () => ({ passkey: "no-such-passkey", name: "Phone" }),
  "accounts/security passkey.remove": () => ({ passkey: "no-such-passkey" }),
  "accounts/auth passkey": () => ({ response: "{}" }),
  "accounts/auth two-step": () => ({ token: "no-such-token", code: "123456" }),
  "accounts/security end-login": ({ login }) => ({ login: text(login) }),
  "accounts/account add-person": () => ({ username: fresh() }),
  "accounts/account cancel-subscription": ({ id }) => ({ id: text(id) }),
  "accounts/account resume-subscription": () => ({ product: "goals_sub" }),
  "accounts/account distance-unit": () => ({ unit: "mi" }),
  "accounts/account show-attended": ({ person }) => ({ person: text(person), isShown: "1" }),
  "accounts/account switch-person": ({ person }) => ({ person: text(person) }),
  "safety/admin-reports decide": ({ kind, id }) => ({
    kind: text(kind),
    id: text(id),
    act: "dismiss",
    reason: "Fine",
  }),
  "safety/admin-deliveries send-again": ({ key }) => ({ key: text(key) }),
  "safety/admin-reports answer": ({ decision }) => ({ id: text(decision), isGranted: "0", reason: "No" }),
  "safety/report report": () => ({ reason: "spam" }),
  "notices/notifications notices.settings": () => ({ channels: "app,mail", digest: "off" }),
  "safety/blocks block": ({ username }) => ({ username: text(username) }),
  "safety/blocks unblock": ({ username }) => ({ username: text(username) }),
  "payments/tokens add-free": () => ({ amount: "5" }),
  "accounts/auth login": () => ({ email: "nobody@example.com", password: "" }),
  "accounts/forgot-password ask": () => ({ email: "nobody@example.com" }),
  "activities/form create": () => ({ title: "Write" }),
  "activities/form update": () => ({ title: "Write more", duration: "30m" }),
  "huts/form create": () => ({ title: "A hut" }),
  "huts/form update": () => ({ title: "Another hut" }),
  "huts/forum post": () => ({ content: "Hello" }),
  "huts/form delete": ({ hut }) => ({ slug: text(hut) }),
  "huts/members accept": ({ username }) => ({ username: text(username) }),
  "huts/members refuse": ({ username }) => ({ username: text(username) }),
  "sessions/view view": () => ({ code: "none" }),
  "huts/invite open": ({ code }) => ({ code: text(code) }),
  "huts/invite enter": ({ code }) => ({ code: text(code) }),
  "huts/invite request": ({ hut }) => ({ slug: text(hut) }),
  "huts/members mute": ({ username }) => ({ username: text(username), mute: "300" }),
  "huts/members ban": ({ username }) => ({ username: text(username) }),
  "huts/members let-in": ({ username }) => ({ username: text(username) }),
  "huts/members role": ({ username }) => ({ username: text(username), role: "1" }),
  "huts/members hand-over": ({ username }) => ({ username: text(username) }),
  "huts/hut attach": ({ activity }) => ({ activity: text(activity) }),
  "huts/hut detach": ({ activity }) => ({ activity: text(activity) }),
  "items/action item.create": () => ({ title: "An item" }),
  "items/action item.update": ({ item }) => ({ item: text(item), title: "Another title" }),
  "items/action item.publish": ({ item }) => ({ item: text(item), isPublished: "1" }),
  "items/action item.step": ({ item }) => ({ item: text(item), step: "up" }),
  "items/action item.delete": ({ item }) => ({ item: text(item) }),
  "items/snippet paraphrase.create": ({ snippet }) => ({ snippet: text(snippet), content: "Quiet, it was." }),
  "items/snippet paraphrase.update": ({ paraphrase }) => ({
    paraphrase: text(paraphrase),
    content: "It was still.",
  }),
  "my-action goal.create": () => ({ title: "Read" }),
  "my-action goal.update": ({ goal }) => ({ goal: text(goal), title: "Read more" }),
  "my-action goal.complete": ({ goal }) => ({ goal: text(goal) }),
  "my-action goal.reopen": ({ goal }) => ({ goal: text(goal) }),
  "my-action goal.delete": ({ goal }) => ({ goal: text(goal) }),
  "my-action key.log": ({ goal }) => ({ goal: text(goal) }),
  "my-action list.tick": ({ goal }) => ({ goal: text(goal) }),
  "my-action day.skip": ({ goal }) => ({
    goal: text(goal),
    day: new Date().toISOString().slice(0, 10),
    isSkipped: "1",
  }),
  "my-action log.quick": ({ goal }) => ({ goal: text(goal) }),
  "my-action log.span": ({ log }) => ({ log: text(log), duration: "19m" }),
  "my-action log.begin": ({ goal }) => ({ goal: text(goal) }),
  "my-action log.create": ({ goal }) => ({ goal: text(goal), amount: "1" }),
  "my-action note.create": ({ goal }) => ({ goal: text(goal), title: "Plan" }),
  "my-action note.update": ({ note }) => ({ note: text(note), title: "Plan B" }),
  "my-action note.tick": ({ note }) => ({ note: text(note), from: "todo", line: "Sweep" }),
  "my-action note.delete": ({ note }) => ({ note: text(note) }),
  ...Object.fromEntries(
    ["start", "pause", "stop", "done", "reset", "update", "delete"].map((move) => [
      `my-action log.${move}`,
      ({ log }: Thing) => ({ log: text(log) }),
    ]),
  ),
  "series/my-series-list create": ({ session }) => ({
    session: text(session),
    every: "MONTHLY",
    count: "1",
    timeZone: "UTC",
    startedAt: new Date(Date.now() + 86_400_000).toISOString().slice(0, 16),
  }),
  "series/my-series host.invite": ({ username }) => ({ username: text(username) }),
  "series/my-series host.move": ({ username }) => ({ username: text(username), place: "0" }),
  "series/my-series host.remove": ({ username }) => ({ username: text(username) }),
  "series/my-series host.leave": ({ username }) => ({ username: text(username) }),
  "series/my-series rule": ({ day }) => ({
    every: "MONTHLY",
    timeZone: "UTC",
    startedAt: `${dayOf(day)}T09:00`,
  }),
  "series/my-series day.skip": ({ day }) => ({ day: dayOf(day) }),
  "series/my-series day.take-up": ({ day }) => ({ day: dayOf(day) }),
  "series/my-series day.move": ({ day }) => ({
    day: dayOf(day),
    startedAt: `${dayOf(day)}T11:00`,
    timeZone: "UTC",
  }),
  "sessions/action standing.take": ({ series }) => ({ series: text(series) }),
  "sessions/action standing.end": ({ series }) => ({ series: text(series) }),
  "sessions/create create": ({ slug }) => ({
    title: "Now",
    activitySlug: text(slug),
    startMode: "manual",
    duration: "1h",
  }),
  "sessions/update update": () => ({ title: "Later", startMode: "manual", duration: "1h" }),
  "sessions/action join": ({ join_code }) => ({ joinCode: text(join_code) }),
  "sessions/action ready": () => ({ isReady: "1" }),
  "sessions/action texts.save": () => ({ hasContent: "1", title: "A title", content: "Begin here." }),
  "sessions/action texts.contribute": () => ({ contribution: "And so on." }),
  "sessions/chat say": () => ({ content: "Hello" }),
  "sessions/chat line.edit": ({ seq }) => ({ seq: text(seq), content: "Hello again" }),
  "sessions/chat line.remove": ({ seq }) => ({ seq: text(seq) }),
  "sessions/chat slow-mode": () => ({ slowMode: "15" }),
  "sessions/people mute": ({ username }) => ({ username: text(username), mute: "300" }),
  "sessions/people remove": ({ username, keep_out }) => ({
    username: text(username),
    ...(keep_out === 1 ? { isBanned: "1" } : {}),
  }),
  "sessions/people notify": () => ({ content: "Hello" }),
  "sessions/action pass": ({ part }) => ({ part: text(part) }),
  "sessions/action aim": () => ({ aim: "Two pages" }),
  "sessions/people guest.rename": ({ username }) => ({ username: text(username), name: "Grace" }),
  "sessions/action sit-in": ({ join_code }) => ({ name: "Ada", joinCode: text(join_code) }),
  "sessions/people line": () => ({ content: "Hello all" }),
  "sessions/people aim.remove": ({ username }) => ({ username: text(username) }),
  "sessions/people let-in": ({ username }) => ({ username: text(username) }),
  "safety/admin-account suspend": () => ({ days: "7", reason: "Spam" }),
  "sessions/forum post": () => ({ content: "Hello" }),
  "series/series post": () => ({ content: "Hello" }),
  "series/series join": ({ session }) => ({ session: text(session) }),
  "series/series leave": ({ session }) => ({ session: text(session) }),
  ...Object.fromEntries(
    ["sessions/forum", "huts/forum", "series/series"].flatMap((file) => [
      [`${file} post.edit`, ({ post }: Thing) => ({ post: text(post), content: "Hello again" })],
      [`${file} post.remove`, ({ post }: Thing) => ({ post: text(post) })],
    ]),
  ),
  "sessions/goals-action task.create": () => ({ title: "Read" }),
  "sessions/goals-action task.update": ({ uuid }) => ({ part: text(uuid), title: "Read more" }),
  "sessions/goals-action task.delete": ({ uuid }) => ({ part: text(uuid) }),
  "sessions/goals-action task.copy": ({ uuid }) => ({ part: text(uuid) }),
  "sessions/goals-action goal.attach": ({ goal }) => ({ goal: text(goal) }),
  "sessions/goals-action task.log": ({ uuid }) => ({ part: text(uuid), amount: "1" }),
};
