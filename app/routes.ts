// Every page URL, in one table. The outside words live here and in app/wire.
import { layout, type RouteConfig, route } from "@remix-run/route-config";

export default [
  layout("routes/in-frame.tsx", [
    // accounts
    route("account", "routes/account.tsx"),
    route("auth/:tab", "routes/auth.tsx"),
    route("auth/logout", "routes/logout.tsx"),
    route("login", "routes/sign-in-alias.tsx", { id: "login-alias" }),
    route("register", "routes/sign-in-alias.tsx", { id: "register-alias" }),
    route("forgot-password", "routes/forgot-password.tsx"),
    route("reset-password", "routes/reset-password.tsx"),
    route("local/mailbox", "routes/mailbox.tsx"),
    // to read
    route("about", "routes/about.tsx"),
    route("terms-of-service", "routes/terms.tsx"),
    route("privacy-policy", "routes/privacy.tsx"),
    // tokens and plans
    route("pricing", "routes/pricing.tsx"),
    route("subscribe", "routes/subscribe.tsx"),
    route("tokens", "routes/tokens.tsx"),
    route("account/tokens", "routes/account-tokens.tsx"),
    // only on local runs
    route("styleguide", "routes/styleguide.tsx"),
    // catch-alls come last
    route("*", "routes/not-found.tsx"),
  ]),
] satisfies RouteConfig;
