// Every page address in one table for tests that visit all pages, on the demo data of a new local run. A route of
// app/routes.ts without an entry here fails tests/pages.test.ts.
export type Role = "visitor" | "member" | "host" | "superAdmin";
/** The accounts of the demo. */
export const accounts = {
  member: { email: "participant@bothy.example", password: "boots by the door", username: "ewan" },
  host: { email: "host@bothy.example", password: "kettle on the stove", username: "morag" },
  superAdmin: { email: "admin@bothy.example", password: "keys to every hut", username: "warden" },
} as const;

type Common = {
  /** As in app/routes.ts. */
  route: string;
  /** The addresses to visit, several where a route has several forms. `{goal}` is a goal of the visitor's account,
   *  `{item}` the path of an item of the host, `{series}` a series of theirs, `{host}` the host's username. */
  at: readonly string[];
  /** The roles for which the page differs; by default visitor and member. */
  by?: readonly Role[];
};
export type PageEntry = Common & {
  is: "page";
  /** The beginning of the document's title. */
  title: RegExp;
  status?: number;
  /** Rules that the page cannot satisfy. */
  except?: RegExp;
};
type OtherEntry = Common & {
  /** The address redirects or answers a file. */
  is: "redirect" | "file";
  leadsTo?: RegExp;
};
export type Entry = PageEntry | OtherEntry;

/** Pages on which the host sees more list the host too. */
const VISITOR_AND_MEMBER: readonly Role[] = ["visitor", "member"];
const EVERYBODY: readonly Role[] = ["visitor", "member", "host"];
/** A super admin sees the same as the host, with a few more buttons. */
const AND_ABOVE: readonly Role[] = [...EVERYBODY, "superAdmin"];
/** Without scripts a stage loads again each minute (J-13), which only this element does. */
const REFRESHES = /^meta-refresh$/;
const KEEPERS: readonly Role[] = ["host", "superAdmin"];

const page = (
  route: string,
  at: string | readonly string[],
  title: RegExp,
  more: Pick<PageEntry, "by" | "status" | "except"> = {},
): PageEntry => ({ is: "page", route, at: typeof at === "string" ? [at] : at, title, ...more });
const redirect = (route: string, at: string, leadsTo: RegExp): OtherEntry => ({
  is: "redirect",
  route,
  at: [at],
  leadsTo,
});

export const entries: readonly Entry[] = [
  page("/", ["/", "/?auth=login", "/?auth=register", "/?q=interval"], /^Bothy|^Home/, { by: EVERYBODY }),
  redirect("/sessions", "/sessions?q=focus", /^\/events$/),
  page("/events", ["/events", "/events?q=nothing-like-it"], /^Sessions/),
  page("/activities", "/activities", /^Activities/),
  page("/challenges/templates", "/challenges/templates", /^Templates/),
  page("/challenges/create", "/challenges/create", /^Create a New Activity/, {
    by: ["member", "superAdmin"],
  }),
  page("/challenges/:slug/update", "/challenges/focus-rounds/update", /^Update Activity/, {
    by: KEEPERS,
  }),
  page("/activities/:slug", "/activities/focus-rounds", /^Focus rounds/, { by: AND_ABOVE }),
  page("/groups", "/groups", /^Huts/, { by: EVERYBODY }),
  page("/huts", "/huts", /^Huts/, { by: ["visitor"] }),
  page("/groups/create", "/groups/create", /^Create a Hut/, { by: ["member"] }),
  page("/huts/create", "/huts/create", /^Create/, { by: ["host"] }),
  page("/groups/:hut/update", "/groups/hill-folk/update", /^Update/, { by: KEEPERS }),
  page("/groups/invite", "/groups/invite", /^Enter a private hut/, { by: ["visitor", "member"] }),
  page("/group/:hut", "/group/hill-folk", /^h\/Hill Folk · /, { by: AND_ABOVE }),
  page("/group/:hut/sessions", "/group/hill-folk/sessions", /^h\/Hill Folk · /),
  page("/group/:hut/activities", "/group/hill-folk/activities", /^h\/Hill Folk · /),
  page("/group/:hut/forum", "/group/hill-folk/forum", /^Forum of h\/Hill Folk · /),
  page("/group/:hut/members", "/group/hill-folk/members", /^Members of h\/Hill Folk · /, { by: KEEPERS }),
  redirect("/h/:hut", "/h/hill-folk", /\/group\/hill-folk$/),
  page(
    "/challenges/events/create",
    ["/challenges/events/create", "/challenges/events/create?activity=focus-rounds"],
    /^Create a Session/,
    { by: ["host"] },
  ),
  page("/events/:event/update", "/events/1/update", /^Update Session/, { by: KEEPERS }),
  redirect("/events/:event/*", "/events/12/goals", /\/sessions\/12\/goals$/),
  // Running, waiting, over, manual, with a code.
  page(
    "/sessions/:session",
    ["/sessions/12", "/sessions/1", "/sessions/11", "/sessions/9", "/sessions/6"],
    / · Bothy$/,
    { by: AND_ABOVE },
  ),
  page("/sessions/:session/stage", ["/sessions/12/stage", "/sessions/6/stage?look=light"], /^Stage of /, {
    except: REFRESHES,
  }),
  page("/sessions/:session/goals", "/sessions/12/goals", /(^|· )Goals · /, { by: EVERYBODY }),
  page("/sessions/:session/member-goals", "/sessions/12/member-goals", /(^|· )Member Goals · /, {
    by: EVERYBODY,
  }),
  page("/sessions/:session/logs", "/sessions/12/logs", /(^|· )Logs · /, { by: EVERYBODY }),
  page("/sessions/:session/hut", "/sessions/12/hut", /(^|· )Forum · /, { by: EVERYBODY }),
  page("/sessions/:session/chat", ["/sessions/12/chat", "/sessions/1/chat"], /(^|· )Chat · /, {
    by: EVERYBODY,
  }),
  page("/series/:series", "/series/{series}", /^Evening rounds · /, { by: ["visitor", "host"] }),
  page("/sessions/view/stage", "/sessions/view/stage?look=dark", /^Stage of /, { except: REFRESHES }),
  page("/series/:series/stage", "/series/{series}/stage?look=dark", /^Stage of /, { except: REFRESHES }),
  page("/embed/sessions/:session", ["/embed/sessions/12", "/embed/sessions/1?look=dark"], /^Stage of /, {
    except: REFRESHES,
  }),
  page("/embed/series/:series", "/embed/series/{series}", /^Stage of /, { except: REFRESHES }),
  redirect("/series/:series/next", "/series/{series}/next", /\/sessions\/\d+$/),
  page("/account", "/account", /^My Account/, { by: ["member"] }),
  redirect("/.well-known/change-password", "/.well-known/change-password", /\/(account|auth\/login)$/),
  { is: "file", route: "/robots.txt", at: ["/robots.txt"] },
  { is: "file", route: "/sitemap.xml", at: ["/sitemap.xml"] },
  { is: "file", route: "/site.webmanifest", at: ["/site.webmanifest"] },
  { is: "file", route: "/account/export/:file", at: ["/account/export/goals.csv"], by: ["member"] },
  page("/auth/:tab", ["/auth/login", "/auth/register"], /^(Login|Register)/, { by: ["visitor"] }),
  redirect("/auth/logout", "/auth/logout", /\/$/),
  redirect("/account/theme", "/account/theme", /\/$/),
  redirect("/login", "/login", /\/auth\/login$/),
  redirect("/register", "/register", /\/auth\/register$/),
  page("/forgot-password", "/forgot-password", /^Forgot/, { by: ["visitor"] }),
  page("/reset-password", "/reset-password?token=none", /^Reset|^Choose/, { by: ["visitor"] }),
  { is: "file", route: "/sessions/:session/calendar.ics", at: ["/sessions/1/calendar.ics"] },
  page("/account/api", "/account/api", /^Keys/, { by: ["member"] }),
  page("/account/calendar", "/account/calendar", /^Calendar/, { by: ["member"] }),
  page("/account/security", "/account/security", /^How you sign in/, { by: ["member"] }),
  page("/account/confirm", "/account/confirm", /^Please confirm that it's you/, { by: ["member"] }),
  page("/account/confirm-email", "/account/confirm-email?token=none", /^Confirm/, { by: ["visitor"] }),
  page("/account/unsubscribe/:token", "/account/unsubscribe/none", /^There is nothing here/, {
    by: ["visitor"],
    status: 404,
  }),
  page("/account/restore-email", "/account/restore-email?token=none", /^Take your/, { by: ["visitor"] }),
  page("/admin/users/:username", "/admin/users/ewan", /^Account of ewan/, { by: ["superAdmin"] }),
  redirect("/account/suspended", "/account/suspended", /^\/$/),
  // The demo's sessions have no recap; the journey of a series opens one that has.
  page("/sessions/:session/recap", "/sessions/12/recap", /^There is nothing here/, {
    by: ["host"],
    status: 404,
  }),
  ...["attendance.csv", "recap.csv", "recap.markdown"].map(
    (file) => ({ is: "file", route: `/sessions/:session/${file}`, at: [`/sessions/12/${file}`] }) as const,
  ),
  page("/sessions/:session/people", "/sessions/12/people", /(^|· )People · /, { by: KEEPERS }),
  page("/admin/reports", "/admin/reports", /^Reports/, { by: ["superAdmin"] }),
  page("/account/appeal", "/account/appeal", /^Appeal/, { by: ["visitor"] }),
  page("/admin", "/admin", /^Deliveries/, { by: ["superAdmin"] }),
  page("/admin/audit", "/admin/audit", /^Audit/, { by: ["superAdmin"] }),
  page("/local/mailbox", "/local/mailbox", /^Mailbox/, { by: ["visitor"] }),
  page("/my/goals", ["/my/goals", "/my/goals?create=1"], /^My Goals/),
  page("/my/goals/:goal", "/my/goals/{goal}", /^Goal: /, { by: ["member"] }),
  page("/my/goals/:goal/log", "/my/goals/{goal}/log", /^Log: /, { by: ["member"] }),
  page("/my/goals/:goal/logs", "/my/goals/{goal}/logs", /^Logs · Goal: /, { by: ["member"] }),
  page("/my/goals/:goal/notes", "/my/goals/{goal}/notes", /^Notes · Goal: /, { by: ["member"] }),
  page("/my/logs", "/my/logs", /^My Logs/),
  page("/my/sessions", ["/my/sessions", "/my/sessions?past=1"], /^My (Past )?Sessions/),
  page("/my/series", ["/my/series", "/my/series?session=1"], /^My Series/, { by: ["host"] }),
  page("/my/series/:series", "/my/series/{series}", /^Evening rounds · /, { by: ["host"] }),
  page("/my/groups", "/my/groups", /^My Groups/),
  page("/my/notes", "/my/notes", /^My Notes/),
  page("/me", "/me", /^My Items/, { by: ["host"] }),
  page("/me/:group", "/me/hill-folk", /, my items · /, { by: ["host"] }),
  page("/books", "/books", /^Books/, { by: ["visitor", "member"] }),
  page("/books/:book", "/books/the-book-of-small-huts", /^The Book of Small Huts/, { by: ["visitor"] }),
  page("/books/:book/snippets/:snippet", "/books/aesop-s-fables/snippets/1", /^Aesop's Fables, passage 1/, {
    by: ["visitor", "member"],
  }),
  page("/:person", "/{host}", /^morag/, { by: EVERYBODY }),
  page("/:parentItem/:childItem", "{item}", /^Ropes and knots/, { by: EVERYBODY }),
  page("/about", "/about", /^About/, { by: ["visitor", "member"] }),
  page("/terms-of-service", "/terms-of-service", /^Terms/, { by: ["visitor"] }),
  page("/privacy-policy", "/privacy-policy", /^Privacy/, { by: ["visitor"] }),
  page("/pricing", ["/pricing", "/pricing?expand=goals_sub"], /^Pricing/),
  page("/subscribe", "/subscribe", /^Subscribe/),
  page("/tokens", "/tokens", /^Tokens/, { by: AND_ABOVE }),
  page("/account/notifications", "/account/notifications", /^Notifications/, { by: ["member"] }),
  page("/my/notices", "/my/notices", /^My Notices/, { by: ["member"] }),
  page("/account/blocks", "/account/blocks", /^Blocked people/, { by: ["member"] }),
  page("/account/report/:kind/:id", "/account/report/hut/hill-folk", /^Report · /, { by: ["member"] }),
  page("/account/tokens", "/account/tokens", /^Your tokens/, { by: ["member"] }),
  page("/styleguide", "/styleguide", /^Styleguide/, {
    by: ["visitor"],
    // The styleguide shows everything twice, error pages and breadcrumbs included.
    except: /^h1$|landmark|^heading-level$/,
  }),
  page("/*", ["/no-such-page/at/all", "/no-such-person"], /^There is nothing here/, { status: 404 }),
];

/** The error pages: of missing addresses, and of the styleguide, which answers with any error on request. */
const errorPages: readonly PageEntry[] = [
  page("/challenges/:challenge/update", "/challenges/focus-rounds/update", /^This door is closed · Bothy$/, {
    by: ["member"],
    status: 403,
  }),
  page("/sessions/:event", "/sessions/999999", /^There is nothing here · Bothy$/, { status: 404 }),
  page("/styleguide", "/styleguide?answer=401", /^Please sign in · Bothy$/, { by: ["visitor"], status: 401 }),
  page("/styleguide", "/styleguide?answer=403", /^This door is closed · Bothy$/, {
    by: ["visitor"],
    status: 403,
  }),
  page("/styleguide", "/styleguide?answer=409", /^That is not possible any more · Bothy$/, {
    by: ["visitor"],
    status: 409,
  }),
  page("/styleguide", "/styleguide?answer=429", /^One moment · Bothy$/, { by: ["visitor"], status: 429 }),
  page("/styleguide", "/styleguide?answer=500", /^The light went out · Bothy$/, {
    by: ["visitor"],
    status: 500,
  }),
];

/** The pages of a role: each address with its entry. */
export const pagesOf = (role: Role): { at: string; entry: PageEntry }[] =>
  [...entries, ...errorPages].flatMap((entry) =>
    entry.is === "page" && (entry.by ?? VISITOR_AND_MEMBER).includes(role)
      ? entry.at.map((at) => ({ at, entry }))
      : [],
  );
