// Every page URL, in one table. The outside words exist only here and in app/wire.
import { index, layout, type RouteConfig, route } from "@remix-run/route-config";

export default [
  route("account/export/:file", "routes/account-export.ts"),
  route("robots.txt", "routes/robots.ts"),
  route("sitemap.xml", "routes/sitemap.ts"),
  route("site.webmanifest", "routes/manifest.ts"),
  layout("routes/in-frame.tsx", [
    // lists, activities, huts
    index("routes/home.tsx"),
    route("events", "routes/sessions.tsx"),
    route("activities", "routes/activities.tsx"),
    route("challenges/templates", "routes/activities.tsx", { id: "templates" }),
    route("challenges/create", "routes/activity-form.tsx"),
    route("challenges/:slug/update", "routes/activity-form.tsx", { id: "activity-update" }),
    route("activities/:slug", "routes/activity.tsx"),
    route("groups", "routes/huts.tsx"),
    route("huts", "routes/huts.tsx", { id: "huts-alias" }),
    route("groups/create", "routes/hut-form.tsx"),
    route("huts/create", "routes/hut-form.tsx", { id: "hut-create-alias" }),
    route("groups/invite", "routes/hut-invite.tsx"),
    route("groups/:hut/update", "routes/hut-form.tsx", { id: "hut-update" }),
    route("group/:hut", "routes/hut.tsx"),
    route("group/:hut/sessions", "routes/hut.tsx", { id: "hut-sessions" }),
    route("group/:hut/activities", "routes/hut.tsx", { id: "hut-activities" }),
    route("group/:hut/forum", "routes/hut-forum.tsx"),
    route("group/:hut/members", "routes/hut-members.tsx"),
    route("h/:hut", "routes/hut-alias.tsx"),
    // sessions
    route("challenges/events/create", "routes/session-create.tsx"),
    route("events/:event/update", "routes/session-update.tsx"),
    route("events/:event/*", "routes/session-redirect.tsx"),
    route("sessions/:session", "routes/session.tsx", [
      index("routes/session-details.tsx"),
      route("goals", "routes/session-goals.tsx"),
      route("member-goals", "routes/session-member-goals.tsx"),
      route("logs", "routes/session-logs.tsx"),
      route("hut", "routes/session-forum.tsx"),
      route("chat", "routes/session-chat.tsx"),
    ]),
    // accounts
    route("account", "routes/account.tsx"),
    route("account/blocks", "routes/account-blocks.tsx"),
    route("account/security", "routes/account-security.tsx"),
    route("account/confirm", "routes/confirm.tsx"),
    route("account/confirm-email", "routes/confirm-email.tsx"),
    route("account/restore-email", "routes/restore-email.tsx"),
    route("auth/:tab", "routes/auth.tsx"),
    route("auth/logout", "routes/logout.tsx"),
    route("login", "routes/sign-in-alias.tsx", { id: "login-alias" }),
    route("register", "routes/sign-in-alias.tsx", { id: "register-alias" }),
    route("forgot-password", "routes/forgot-password.tsx"),
    route("reset-password", "routes/reset-password.tsx"),
    route("local/mailbox", "routes/mailbox.tsx"),
    // the user's own lists
    route("my/goals", "routes/my-goals.tsx"),
    route("my/goals/:goal", "routes/my-goal.tsx"),
    route("my/goals/:goal/logs", "routes/my-goal-logs.tsx"),
    route("my/goals/:goal/notes", "routes/my-goal-notes.tsx"),
    route("my/logs", "routes/my-logs.tsx"),
    route("my/sessions", "routes/my-sessions.tsx"),
    route("my/groups", "routes/my-huts.tsx"),
    route("my/notes", "routes/my-notes.tsx"),
    // items and books
    route("me", "routes/me.tsx"),
    route("me/:group", "routes/me.tsx", { id: "me-in-hut" }),
    route("books", "routes/books.tsx"),
    route("books/:book", "routes/book.tsx"),
    route("books/:book/snippets/:snippet", "routes/snippet.tsx"),
    // texts
    route("about", "routes/about.tsx"),
    route("terms-of-service", "routes/terms.tsx"),
    route("privacy-policy", "routes/privacy.tsx"),
    // tokens and plans
    route("pricing", "routes/pricing.tsx"),
    route("subscribe", "routes/subscribe.tsx"),
    route("tokens", "routes/tokens.tsx"),
    route("account/tokens", "routes/account-tokens.tsx"),
    // super admins
    route("admin/audit", "routes/audit.tsx"),
    // only on local runs
    route("styleguide", "routes/styleguide.tsx"),
    // catch-alls come last
    route(":person", "routes/person.tsx"),
    route(":parentItem/:childItem", "routes/item.tsx"),
    route("*", "routes/not-found.tsx"),
  ]),
] satisfies RouteConfig;
