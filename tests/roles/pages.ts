// The answer of every page and of every form on it to every role; table.ts describes the format.
import type { Actor, Thing } from "./cast";
import { readTable } from "./table";

/** By the path in app/routes.ts. `sign-in` is the redirect of R-36. */
export const PAGE_ROWS = [
  ...readTable(
    {},
    `
    # path                            | thing      | theirs             | own | missing
    robots.txt                        | -          | ok
    sitemap.xml                       | -          | ok
    site.webmanifest                  | -          | ok
    /                                 | -          | ok
    events                            | -          | ok
    sessions                          | -          | /events            | /events | /events
    activities                        | -          | ok
    challenges/templates              | -          | ok
    activities/:slug                  | activity   | ok
    groups                            | -          | ok
    huts                              | -          | ok
    groups/invite                     | -          | ok
    group/:hut                        | private hut | NOT_FOUND, ok member hut-owner moderator owner super
    group/:hut/sessions               | private hut | NOT_FOUND, ok member hut-owner moderator owner super
    group/:hut/activities             | private hut | NOT_FOUND, ok member hut-owner moderator owner super
    group/:hut/forum                  | private hut | NOT_FOUND, ok member hut-owner moderator owner super
    group/:hut                        | hut        | ok
    group/:hut/sessions               | hut        | ok
    group/:hut/activities             | hut        | ok
    group/:hut/forum                  | hut        | ok
    h/:hut                            | hut        | /group/:hut        | /group/:hut | /group/:hut
    sessions/:session/calendar.ics    | running    | ok
    sessions/:session/calendar.ics    | coded running | ok
    events/:event/*                   | session    | /sessions/:session | /sessions/:session | /sessions/:session
    sessions/:session                 | session    | ok
    sessions/:session/goals           | session    | ok
    sessions/:session/member-goals    | session    | ok
    sessions/:session/logs            | session    | ok
    sessions/:session/hut             | session    | ok
    sessions/:session/chat            | session    | ok
    sessions/:session                 | coded      | ok
    sessions/:session/goals           | coded      | ok
    sessions/:session/member-goals    | coded      | ok
    sessions/:session/logs            | coded      | ok
    sessions/:session/hut             | coded      | ok
    sessions/:session/chat            | coded      | ok
    account/confirm-email             | -          | ok
    account/restore-email             | -          | ok
    account/appeal                    | -          | ok
    account/unsubscribe/:token        | -          | NOT_FOUND
    auth/:tab                         | -          | /, ok visitor
    login                             | -          | /auth/login
    register                          | -          | /auth/register
    auth/logout                       | -          | /
    account/theme                     | -          | /
    forgot-password                   | -          | ok
    reset-password                    | -          | ok
    local/mailbox                     | -          | ok
    books                             | -          | ok
    books/:book                       | snippet    | ok
    books/:book/snippets/:snippet     | snippet    | ok
    about                             | -          | ok
    terms-of-service                  | -          | ok
    privacy-policy                    | -          | ok
    pricing                           | -          | ok
    subscribe                         | -          | ok
    tokens                            | -          | ok
    styleguide                        | -          | ok
    my/goals                          | -          | ok
    my/logs                           | -          | ok
    my/sessions                       | -          | ok
    my/groups                         | -          | ok
    my/notes                          | -          | ok
    :person                           | user       | ok
    :parentItem/:childItem            | item       | ok
    :parentItem/:childItem            | draft      | NOT_FOUND, ok owner
    *                                 | -          | NOT_FOUND
`,
  ),
  ...readTable(
    { visitor: "sign-in" },
    `
    account/export/:file              | -          | ok
    account                           | -          | ok
    account/tokens                    | -          | ok
    admin                             | -          | FORBIDDEN, ok super
    admin/audit                       | -          | FORBIDDEN, ok super
    admin/users/:username             | user       | FORBIDDEN, ok super    | FORBIDDEN, ok super | FORBIDDEN, NOT_FOUND super
    account/suspended                 | -          | /account
    sessions/:session/people          | session    | FORBIDDEN, ok host admin super
    sessions/:session/people          | coded      | FORBIDDEN, ok host admin super
    sessions/:session/recap           | running    | FORBIDDEN, NOT_FOUND participant host admin ex-admin super | NOT_FOUND
    sessions/:session/attendance.csv  | running    | FORBIDDEN, NOT_FOUND participant host admin ex-admin super | NOT_FOUND
    sessions/:session/recap.csv       | running    | FORBIDDEN, NOT_FOUND participant host admin ex-admin super | NOT_FOUND
    sessions/:session/recap.markdown  | running    | FORBIDDEN, NOT_FOUND participant host admin ex-admin super | NOT_FOUND
    admin/reports                     | -          | FORBIDDEN, ok super
    account/blocks                    | -          | ok
    account/security                  | -          | ok
    account/notifications             | -          | ok
    my/notices                        | -          | ok
    account/calendar                  | -          | ok
    account/api                       | -          | ok
    account/confirm                   | -          | ok
    account/report/:kind/:id          | newcomer   | ok                 | -
    challenges/create                 | -          | ok
    challenges/:slug/update           | activity   | FORBIDDEN, ok owner super
    groups/create                     | -          | ok
    huts/create                       | -          | ok
    groups/:hut/update                | hut        | FORBIDDEN, ok hut-owner super
    group/:hut/members                | private hut | NOT_FOUND, FORBIDDEN member owner, ok hut-owner moderator super
    group/:hut/members                | hut        | FORBIDDEN, ok hut-owner moderator super
    my/series                         | -          | ok
    my/series/:series                 | series     | NOT_FOUND, ok host participant super
    challenges/events/create          | -          | ok
    events/:event/update              | session    | FORBIDDEN, ok host admin super
    events/:event/update              | coded      | FORBIDDEN, ok host admin super
    events/:event/update              | ended      | FORBIDDEN, ok host admin super
    my/goals/:goal                    | goal       | NOT_FOUND, ok owner
    my/goals/:goal                    | session goal | NOT_FOUND, ok host admin super
    my/goals/:goal/logs               | goal       | NOT_FOUND, ok owner
    my/goals/:goal/logs               | session goal | NOT_FOUND, ok host admin super
    my/goals/:goal/notes              | goal       | NOT_FOUND, ok owner
    me                                | -          | ok
    me/:group                         | hut        | ok
`,
  ),
];

/** Placeholders that refer to no thing of the cast. */
const PAGE_PLACES: Thing = { tab: "login", file: "everything.json", "*": "no/such/page" };

/** A path of app/routes.ts with the values of its placeholders, unencoded. */
export const place = (template: string, thing: Thing): string =>
  template.replace(/:(\w+)|\*$/g, (match, name?: string) => {
    const key = name ?? match;
    return String(PAGE_PLACES[key] ?? thing[key]);
  });

/** The address that the forms of a file of app/routes post to, by `file` or `file intent`. */
export const ADDRESS_OF: Record<string, string> = {
  account: "/account",
  "account-blocks": "/account/blocks",
  "account-notifications": "/account/notifications",
  "my-notices": "/my/notices",
  "account-calendar": "/account/calendar",
  "account-api": "/account/api",
  "admin-reports": "/admin/reports",
  "admin-deliveries": "/admin",
  appeal: "/account/appeal",
  report: "/account/report/:kind/:id",
  "account-suspended": "/account/suspended",
  "admin-account": "/admin/users/:username",
  "session-people": "/sessions/:session/people",
  "confirm-email": "/account/confirm-email",
  "restore-email": "/account/restore-email",
  unsubscribe: "/account/unsubscribe/:token",
  "activity-form create": "/challenges/create",
  "activity-form update": "/challenges/:slug/update",
  activity: "/activities/:slug",
  "account-security": "/account/security",
  confirm: "/account/confirm",
  "auth login": "/auth/login",
  "auth two-step": "/auth/two-step",
  "auth register": "/auth/register",
  "forgot-password": "/forgot-password",
  "reset-password": "/reset-password",
  "hut-form create": "/groups/create",
  "hut-form update": "/groups/:hut/update",
  "hut-forum": "/group/:hut/forum",
  "hut-members": "/group/:hut/members",
  "hut-form delete": "/groups/:hut/update",
  "hut-invite": "/groups/invite",
  hut: "/group/:hut",
  "item-action": "/me",
  "my-action": "/my/goals",
  "my-series": "/my/series/:series",
  "my-series-list": "/my/series",
  "session-action": "/sessions/:session",
  "session-chat": "/sessions/:session/chat",
  "session-create": "/challenges/events/create",
  "session-forum": "/sessions/:session/hut",
  "session-goals-action": "/sessions/:session/goals",
  "session-update": "/events/:event/update",
  snippet: "/books/:book/snippets/:snippet",
  tokens: "/tokens",
  logout: "/auth/logout",
  theme: "/account/theme",
};

const INTENTS = readTable(
  { visitor: "UNAUTHENTICATED" },
  `
  account profile                   | -          | ok
  account profile                   | password   | INVALID, ok owner      | ok | -      # another address, with this password
  account password                  | -          | INVALID, INVALID visitor # as at the end of this table
  account end-login                 | login      | ok                     | ok | ok     # ends nobody else's, and says nothing of it
  account end-other-logins          | -          | ok
  account add-person                | -          | ok
  account delete-account            | -          | INVALID, INVALID visitor # the same
  account-calendar calendar.create  | -          | ok
  account-calendar calendar.renew   | -          | ok                     # the form before made an address
  account-calendar calendar.off     | -          | ok
  account-api key.create            | -          | ok
  account-api key.revoke            | -          | ok                     # of nobody: it revokes nothing
  account-security two-step.begin   | -          | ok
  account-security two-step.confirm | -          | INVALID, INVALID visitor # no code; a visitor's is looked at first
  account-security two-step.codes   | -          | CONFLICT               # two-step sign-in is off
  account-security two-step.off     | -          | ok
  account-security passkey.rename   | -          | NOT_FOUND
  account-security passkey.remove   | -          | NOT_FOUND
  confirm password                  | -          | INVALID, INVALID visitor # as at the end of this table
  confirm code                      | -          | INVALID, INVALID visitor # the same
  account cancel-subscription       | subscription | NOT_FOUND, ok subscriber | -
  account resume-subscription       | -          | ok                     # the cell before has cancelled the subscriber's
  admin-deliveries send-again       | delivery   | FORBIDDEN, ok super    | - | FORBIDDEN, NOT_FOUND super
  admin-reports decide              | reported   | FORBIDDEN, ok super    | - | INVALID, INVALID visitor # of no kind
  admin-reports answer              | appealed   | FORBIDDEN, ok super    | - | FORBIDDEN, NOT_FOUND super
  report report                     | newcomer   | ok                     | - | INVALID, INVALID visitor # of no kind
  account-notifications notices.settings | -      | ok
  my-notices notices.read           | -          | ok
  account-blocks block              | newcomer   | ok                     | -
  account-blocks unblock            | newcomer   | ok                     | - | NOT_FOUND
  account switch-person             | person     | NOT_FOUND, ok owner
  tokens redeem                     | -          | ok
  tokens add-free                   | -          | FORBIDDEN, ok super

  activity-form create              | -          | ok
  activity-form update              | activity   | FORBIDDEN, ok owner super
  activity follow                   | activity   | ok
  activity leave                    | activity   | ok
  activity reset                    | activity   | FORBIDDEN, ok super    | FORBIDDEN, ok super | FORBIDDEN, NOT_FOUND super
  activity delete                   | activity   | FORBIDDEN, ok owner super
  hut-form create                   | -          | ok
  hut-form update                   | hut        | FORBIDDEN, ok hut-owner super
  hut-forum post                    | hut        | FORBIDDEN, ok member hut-owner moderator owner
  hut-forum post.edit               | hut post   | FORBIDDEN, ok member | ok, FORBIDDEN hut-owner # in the hut of its owner the post is a member's
  hut-forum post.remove             | hut post   | FORBIDDEN, ok member hut-owner moderator super
  hut-form delete                   | hut        | FORBIDDEN, ok hut-owner super
  hut-form delete                   | private hut | NOT_FOUND, FORBIDDEN member moderator owner, ok hut-owner super
  hut-members renew                 | private hut | NOT_FOUND, FORBIDDEN member owner, ok hut-owner moderator super
  hut-members accept                | hut request | NOT_FOUND, FORBIDDEN member owner, ok hut-owner moderator super
  hut-members refuse                | hut request | NOT_FOUND, FORBIDDEN member owner, ok hut-owner moderator super
  hut-invite enter                  | invitation | ok                     | ok | INVALID
  hut-invite request                | private hut | ok                    | ok | ok
  hut-members mute                  | hut        | FORBIDDEN, ok hut-owner moderator super
  hut-members ban                   | hut        | FORBIDDEN, ok hut-owner moderator super
  hut-members let-in                | hut        | FORBIDDEN, ok hut-owner moderator super
  hut-members role                  | hut        | FORBIDDEN, ok hut-owner super
  hut-members hand-over             | hut        | FORBIDDEN, ok hut-owner super
  hut join                          | hut        | ok
  hut leave                         | hut        | ok
  hut attach                        | hut and activity | FORBIDDEN, ok hut-owner owner super
  hut detach                        | hut and activity | FORBIDDEN, ok hut-owner owner super
  hut attach                        | my activity | FORBIDDEN, ok hut-owner moderator owner member super

  item-action item.create           | -          | ok
  item-action item.update           | item       | FORBIDDEN, ok owner
  item-action item.update           | draft      | NOT_FOUND, ok owner
  item-action item.publish          | item       | FORBIDDEN, ok owner
  item-action item.step             | item       | FORBIDDEN, ok owner
  item-action item.delete           | item       | FORBIDDEN, ok owner
  snippet paraphrase.create         | snippet    | ok
  snippet paraphrase.update         | paraphrase | FORBIDDEN, ok owner

  my-action goal.create             | -          | ok
  my-action goal.update             | goal       | NOT_FOUND, ok owner
  my-action goal.complete           | goal       | NOT_FOUND, ok owner
  my-action goal.reopen             | goal       | NOT_FOUND, ok owner
  my-action goal.delete             | goal       | NOT_FOUND, ok owner
  my-action goal.update             | session goal | NOT_FOUND, ok host admin super
  my-action goal.complete           | session goal | NOT_FOUND, ok host admin super
  my-action goal.reopen             | session goal | NOT_FOUND, ok host admin super
  my-action goal.delete             | session goal | NOT_FOUND, CONFLICT host admin super | CONFLICT
  my-action list.tick               | goal       | NOT_FOUND, ok owner
  my-action day.skip                | goal       | NOT_FOUND, ok owner
  my-action log.quick               | goal       | NOT_FOUND, ok owner
  my-action log.begin               | goal       | NOT_FOUND, ok owner
  my-action log.create              | goal       | NOT_FOUND, ok owner
  my-action log.start               | log        | NOT_FOUND, ok owner
  my-action log.pause               | running log | NOT_FOUND, ok owner
  my-action log.stop                | running log | NOT_FOUND, ok owner
  my-action log.done                | log        | NOT_FOUND, ok owner
  my-action log.reset               | running log | NOT_FOUND, ok owner
  my-action log.update              | log        | NOT_FOUND, ok owner
  my-action log.span                | log        | NOT_FOUND, ok owner
  my-action log.delete              | log        | NOT_FOUND, ok owner
  my-action note.create             | goal       | INVALID, ok owner      | ok | INVALID
  my-action note.update             | note       | NOT_FOUND, ok owner
  my-action note.delete             | note       | NOT_FOUND, ok owner

  my-series-list create             | session    | FORBIDDEN, ok host
  my-series pause                   | series     | NOT_FOUND, FORBIDDEN participant, ok host super
  my-series resume                  | series     | NOT_FOUND, FORBIDDEN participant, ok host super
  my-series end                     | series     | NOT_FOUND, FORBIDDEN participant, ok host super
  my-series host.invite             | series     | NOT_FOUND, FORBIDDEN participant, ok host super
  my-series host.move               | series     | NOT_FOUND, FORBIDDEN participant, ok host super
  my-series host.remove             | series     | NOT_FOUND, ok participant host super
  my-series host.leave              | series     | NOT_FOUND, ok participant host super
  my-series host.accept             | series     | NOT_FOUND, ok participant | NOT_FOUND
  my-series rule                    | series     | NOT_FOUND, FORBIDDEN participant, ok host super
  my-series day.skip                | series     | NOT_FOUND, FORBIDDEN participant, ok host super
  my-series day.take-up             | series     | NOT_FOUND, FORBIDDEN participant, ok host super
  my-series day.move                | series     | NOT_FOUND, FORBIDDEN participant, ok host super
  my-series standing.end            | series     | ok
  session-action standing.take      | series     | ok, CONFLICT host      | CONFLICT
  session-action standing.end       | series     | ok
  session-create create             | activity   | ok                     | ok | INVALID
  session-update update             | session    | FORBIDDEN, ok host admin super
  session-action join               | session    | ok
  session-action join               | coded      | ok
  session-action leave              | session    | ok, CONFLICT host      | CONFLICT
  session-action wait               | full       | ok, CONFLICT host admin ex-admin participant | CONFLICT
  session-action unwait             | full       | ok
  session-action ready              | session    | FORBIDDEN, ok host admin ex-admin participant
  session-action start              | session    | FORBIDDEN, ok host admin super
  session-action end                | session    | FORBIDDEN, ok host super
  session-action end                | running    | FORBIDDEN, ok host super
  session-action complete           | running    | FORBIDDEN, ok host admin ex-admin participant
  session-action seat.keep          | session    | FORBIDDEN, ok host admin ex-admin participant
  session-action claim              | running    | FORBIDDEN, CONFLICT admin, ok host # no admin of the tests has a socket
  session-action repeat              | session    | FORBIDDEN, ok host
  session-action reset              | session    | FORBIDDEN, ok super    | FORBIDDEN, ok super | FORBIDDEN, NOT_FOUND super
  session-action texts.save         | session    | FORBIDDEN, ok host admin super
  session-action texts.contribute   | turns      | FORBIDDEN, ok host
  session-action delete             | session    | FORBIDDEN, ok host super
  session-action delete             | running    | FORBIDDEN, CONFLICT host super | CONFLICT
  session-chat say                  | running    | FORBIDDEN, ok host admin ex-admin participant
  session-chat line.edit            | line       | FORBIDDEN, ok host
  session-chat line.remove          | line       | FORBIDDEN, ok host admin super
  session-chat slow-mode            | running    | FORBIDDEN, ok host admin super
  session-people mute               | session    | FORBIDDEN, ok host admin super
  session-people remove             | session    | FORBIDDEN, ok host super
  session-people remove             | keeping out | FORBIDDEN, ok host super
  session-people notify             | session    | FORBIDDEN, ok host admin super
  session-people let-in             | session    | FORBIDDEN, ok host super
  admin-account suspend             | suspect    | FORBIDDEN, ok super    | -  | FORBIDDEN, NOT_FOUND super
  admin-account lift-suspension     | suspect    | FORBIDDEN, ok super    | -  | FORBIDDEN, NOT_FOUND super
  account-suspended delete-account  | -          | INVALID, INVALID visitor # an empty password
  session-forum post                | session    | FORBIDDEN, ok host admin ex-admin participant
  session-forum post.edit           | session post | FORBIDDEN, ok host
  session-forum post.remove         | session post | FORBIDDEN, ok host admin super
  session-goals-action task.create  | session    | FORBIDDEN, ok host admin super
  session-goals-action task.update  | session    | FORBIDDEN, ok host admin super
  session-goals-action task.delete  | session    | FORBIDDEN, ok host admin super
  session-goals-action task.copy    | session    | ok
  session-goals-action goal.attach  | session    | FORBIDDEN, ok host admin ex-admin participant
  session-goals-action goal.attach  | goal into a session | NOT_FOUND, ok owner | ok
  session-goals-action task.log     | session    | FORBIDDEN, ok host admin ex-admin participant
`,
);

const OPEN_INTENTS = readTable(
  {},
  `
  # A field left empty spares the hash of a password.
  auth login                        | -          | INVALID
  auth register                     | -          | INVALID
  auth two-step                     | -          | UNAUTHENTICATED        # the token of no sign-in
  forgot-password ask               | -          | ok
  reset-password reset              | -          | INVALID
  confirm-email confirm             | -          | INVALID                # the secret of no link
  confirm-email send                | -          | CONFLICT, UNAUTHENTICATED visitor  # all others are confirmed
  restore-email restore             | -          | INVALID
  appeal appeal                     | -          | INVALID
  unsubscribe stop                  | -          | NOT_FOUND              # a token that nobody signed
  logout                            | -          | ok
  theme                             | -          | ok
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
  "account profile": ({ password }, { user }) => ({
    ...(typeof password === "string"
      ? { email: `${fresh()}@example.com`, currentPassword: password }
      : { email: user?.email ?? "nobody@example.com" }),
    firstName: "Ada",
    lastName: "",
  }),
  "account-api key.create": () => ({ name: "Phone", scopes: "read", days: "30" }),
  "account-api key.revoke": () => ({ key: "no-such-key" }),
  "account-security passkey.rename": () => ({ passkey: "no-such-passkey", name: "Phone" }),
  "account-security passkey.remove": () => ({ passkey: "no-such-passkey" }),
  "auth two-step": () => ({ token: "no-such-token", code: "123456" }),
  "account end-login": ({ login }) => ({ login: text(login) }),
  "account add-person": () => ({ username: fresh() }),
  "account cancel-subscription": ({ id }) => ({ id: text(id) }),
  "account resume-subscription": () => ({ product: "goals_sub" }),
  "account switch-person": ({ person }) => ({ person: text(person) }),
  "admin-reports decide": ({ kind, id }) => ({
    kind: text(kind),
    id: text(id),
    act: "dismiss",
    reason: "Fine",
  }),
  "admin-deliveries send-again": ({ key }) => ({ key: text(key) }),
  "admin-reports answer": ({ decision }) => ({ id: text(decision), isGranted: "0", reason: "No" }),
  "report report": () => ({ reason: "spam" }),
  "account-notifications notices.settings": () => ({ channels: "app,mail", digest: "off" }),
  "account-blocks block": ({ username }) => ({ username: text(username) }),
  "account-blocks unblock": ({ username }) => ({ username: text(username) }),
  "tokens add-free": () => ({ amount: "5" }),
  "auth login": () => ({ email: "nobody@example.com", password: "" }),
  "forgot-password ask": () => ({ email: "nobody@example.com" }),
  "activity-form create": () => ({ title: "Write" }),
  "activity-form update": () => ({ title: "Write more", duration: "30m" }),
  "hut-form create": () => ({ title: "A hut" }),
  "hut-form update": () => ({ title: "Another hut" }),
  "hut-forum post": () => ({ content: "Hello" }),
  "hut-form delete": ({ hut }) => ({ slug: text(hut) }),
  "hut-members accept": ({ username }) => ({ username: text(username) }),
  "hut-members refuse": ({ username }) => ({ username: text(username) }),
  "hut-invite enter": ({ code }) => ({ code: text(code) }),
  "hut-invite request": ({ hut }) => ({ slug: text(hut) }),
  "hut-members mute": ({ username }) => ({ username: text(username), mute: "300" }),
  "hut-members ban": ({ username }) => ({ username: text(username) }),
  "hut-members let-in": ({ username }) => ({ username: text(username) }),
  "hut-members role": ({ username }) => ({ username: text(username), role: "1" }),
  "hut-members hand-over": ({ username }) => ({ username: text(username) }),
  "hut attach": ({ activity }) => ({ activity: text(activity) }),
  "hut detach": ({ activity }) => ({ activity: text(activity) }),
  "item-action item.create": () => ({ title: "An item" }),
  "item-action item.update": ({ item }) => ({ item: text(item), title: "Another title" }),
  "item-action item.publish": ({ item }) => ({ item: text(item), isPublished: "1" }),
  "item-action item.step": ({ item }) => ({ item: text(item), step: "up" }),
  "item-action item.delete": ({ item }) => ({ item: text(item) }),
  "snippet paraphrase.create": ({ snippet }) => ({ snippet: text(snippet), content: "Quiet, it was." }),
  "snippet paraphrase.update": ({ paraphrase }) => ({
    paraphrase: text(paraphrase),
    content: "It was still.",
  }),
  "my-action goal.create": () => ({ title: "Read" }),
  "my-action goal.update": ({ goal }) => ({ goal: text(goal), title: "Read more" }),
  "my-action goal.complete": ({ goal }) => ({ goal: text(goal) }),
  "my-action goal.reopen": ({ goal }) => ({ goal: text(goal) }),
  "my-action goal.delete": ({ goal }) => ({ goal: text(goal) }),
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
  "my-action note.delete": ({ note }) => ({ note: text(note) }),
  ...Object.fromEntries(
    ["start", "pause", "stop", "done", "reset", "update", "delete"].map((move) => [
      `my-action log.${move}`,
      ({ log }: Thing) => ({ log: text(log) }),
    ]),
  ),
  "my-series-list create": ({ session }) => ({
    session: text(session),
    rule: "FREQ=MONTHLY;COUNT=1",
    timeZone: "UTC",
    startedAt: String(Date.now() + 86_400_000),
  }),
  "my-series host.invite": ({ username }) => ({ username: text(username) }),
  "my-series host.move": ({ username }) => ({ username: text(username), place: "0" }),
  "my-series host.remove": ({ username }) => ({ username: text(username) }),
  "my-series host.leave": ({ username }) => ({ username: text(username) }),
  "my-series rule": ({ day }) => ({
    rule: "FREQ=MONTHLY",
    timeZone: "UTC",
    startedAt: String(Date.parse(`${dayOf(day)}T09:00Z`)),
  }),
  "my-series day.skip": ({ day }) => ({ day: dayOf(day) }),
  "my-series day.take-up": ({ day }) => ({ day: dayOf(day) }),
  "my-series day.move": ({ day }) => ({ day: dayOf(day), startedAt: `${dayOf(day)}T11:00`, timeZone: "UTC" }),
  "session-action standing.take": ({ series }) => ({ series: text(series) }),
  "session-action standing.end": ({ series }) => ({ series: text(series) }),
  "session-create create": ({ slug }) => ({
    title: "Now",
    activitySlug: text(slug),
    startMode: "manual",
    duration: "1h",
  }),
  "session-update update": () => ({ title: "Later", startMode: "manual", duration: "1h" }),
  "session-action join": ({ join_code }) => ({ joinCode: text(join_code) }),
  "session-action ready": () => ({ isReady: "1" }),
  "session-action texts.save": () => ({ hasContent: "1", title: "A title", content: "Begin here." }),
  "session-action texts.contribute": () => ({ contribution: "And so on." }),
  "session-chat say": () => ({ content: "Hello" }),
  "session-chat line.edit": ({ seq }) => ({ seq: text(seq), content: "Hello again" }),
  "session-chat line.remove": ({ seq }) => ({ seq: text(seq) }),
  "session-chat slow-mode": () => ({ slowMode: "15" }),
  "session-people mute": ({ username }) => ({ username: text(username), mute: "300" }),
  "session-people remove": ({ username, keep_out }) => ({
    username: text(username),
    ...(keep_out === 1 ? { isBanned: "1" } : {}),
  }),
  "session-people notify": () => ({ content: "Hello" }),
  "session-people let-in": ({ username }) => ({ username: text(username) }),
  "admin-account suspend": () => ({ days: "7", reason: "Spam" }),
  "session-forum post": () => ({ content: "Hello" }),
  ...Object.fromEntries(
    ["session-forum", "hut-forum"].flatMap((file) => [
      [`${file} post.edit`, ({ post }: Thing) => ({ post: text(post), content: "Hello again" })],
      [`${file} post.remove`, ({ post }: Thing) => ({ post: text(post) })],
    ]),
  ),
  "session-goals-action task.create": () => ({ title: "Read" }),
  "session-goals-action task.update": ({ uuid }) => ({ part: text(uuid), title: "Read more" }),
  "session-goals-action task.delete": ({ uuid }) => ({ part: text(uuid) }),
  "session-goals-action task.copy": ({ uuid }) => ({ part: text(uuid) }),
  "session-goals-action goal.attach": ({ goal }) => ({ goal: text(goal) }),
  "session-goals-action task.log": ({ uuid }) => ({ part: text(uuid), amount: "1" }),
};
