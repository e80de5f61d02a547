// The answer of every page to every role; table.ts describes the format.
import type { Thing } from "./cast";
import { readTable } from "./table";

/** By the path in app/routes.ts. `sign-in` is the redirect of R-36. */
export const PAGE_ROWS = [
  ...readTable(
    {},
    `
    # path                            | thing      | theirs             | own | missing
    .well-known/change-password       | -          | /account#password
    robots.txt                        | -          | ok, ok guest
    sitemap.xml                       | -          | ok
    site.webmanifest                  | -          | ok, ok guest
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
    sessions/:session/calendar.ics    | running    | ok, ok guest
    sessions/:session/calendar.ics    | coded running | ok, ok guest
    events/:event/*                   | session    | /sessions/:session | /sessions/:session | /sessions/:session
    sessions/:session                 | session    | ok, ok guest
    sessions/:session/goals           | session    | ok, ok guest
    sessions/:session/member-goals    | session    | ok, ok guest
    sessions/:session/logs            | session    | ok, ok guest
    sessions/:session/hut             | session    | ok, ok guest
    sessions/:session/chat            | session    | ok, ok guest
    sessions/:session/stage           | session    | ok, ok guest| ok | NOT_FOUND, NOT_FOUND guest
    sessions/:session/stage           | coded      | ok, ok guest| ok | NOT_FOUND, NOT_FOUND guest
    sessions/:session                 | coded      | ok, ok guest
    sessions/:session/goals           | coded      | ok, ok guest
    sessions/:session/member-goals    | coded      | ok, ok guest
    sessions/:session/logs            | coded      | ok, ok guest
    sessions/:session/hut             | coded      | ok, ok guest
    sessions/:session/chat            | coded      | ok, ok guest
    series/:series                    | series     | ok
    series/:series                    | held series | ok, /sessions/:session guest
    series/:series                    | private series | NOT_FOUND, ok member hut-owner moderator owner super
    embed/sessions/:session           | session    | ok, ok guest| ok | NOT_FOUND, NOT_FOUND guest
    embed/sessions/:session           | coded      | ok, ok guest| ok | NOT_FOUND, NOT_FOUND guest
    embed/series/:series              | series     | ok, ok guest| ok | NOT_FOUND, NOT_FOUND guest
    embed/series/:series              | held series | ok, ok guest| ok | NOT_FOUND, NOT_FOUND guest
    embed/series/:series              | private series | NOT_FOUND, NOT_FOUND guest | NOT_FOUND| NOT_FOUND, NOT_FOUND guest
    sessions/view/stage               | -          | ok, ok guest
    series/:series/stage              | series     | ok, ok guest| ok | NOT_FOUND, NOT_FOUND guest
    series/:series/stage              | held series | ok, ok guest| ok | NOT_FOUND, NOT_FOUND guest
    series/:series/stage              | private series | NOT_FOUND, NOT_FOUND guest | NOT_FOUND| NOT_FOUND, NOT_FOUND guest
    series/:series/next               | series     | /series/:series    | /series/:series | NOT_FOUND
    series/:series/next               | held series | /sessions/:session, /sessions/:session guest | /sessions/:session | NOT_FOUND
    series/:series/next               | private series | NOT_FOUND, /series/:series member hut-owner moderator owner super | /series/:series | NOT_FOUND
    account/confirm-email             | -          | ok
    account/restore-email             | -          | ok
    account/appeal                    | -          | ok
    account/unsubscribe/:token        | -          | NOT_FOUND
    auth/:tab                         | -          | /, ok visitor, ok guest
    login                             | -          | /auth/login, /auth/login guest
    register                          | -          | /auth/register, /auth/register guest
    auth/logout                       | -          | /, / guest
    account/theme                     | -          | /, / guest
    forgot-password                   | -          | ok
    reset-password                    | -          | ok
    local/mailbox                     | -          | ok
    books                             | -          | ok
    books/:book                       | snippet    | ok
    books/:book/snippets/:snippet     | snippet    | ok
    about                             | -          | ok, ok guest
    terms-of-service                  | -          | ok, ok guest
    privacy-policy                    | -          | ok, ok guest
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
    *                                 | -          | NOT_FOUND, NOT_FOUND guest
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
    sessions/:session/recap           | running    | FORBIDDEN, NOT_FOUND participant host admin ex-admin super, NOT_FOUND guest | NOT_FOUND
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
    my/goals/:goal/log                | goal       | NOT_FOUND, ok owner
    my/goals/:goal/log                | session goal | NOT_FOUND, ok host admin super
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

/** The path of a redirect, with the names of the things in it. */
export function namedPath(path: string, thing: Thing): string {
  const nameOf = (segment: string, before = "") =>
    before === "series"
      ? ":series"
      : [":session", ":hut"].find((name) => segment === String(thing[name.slice(1)]));
  return path
    .split("/")
    .map((segment, n, all) => nameOf(segment, all[n - 1]) ?? segment)
    .join("/");
}
