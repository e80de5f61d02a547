// Every page URL, in one table. The outside words live here and in app/wire.
import { type RouteConfig, route } from "@remix-run/route-config";

export default [
  // tokens and plans
  route("pricing", "routes/pricing.tsx"),
  route("subscribe", "routes/subscribe.tsx"),
  route("tokens", "routes/tokens.tsx"),
  route("account/tokens", "routes/account-tokens.tsx"),
] satisfies RouteConfig;
