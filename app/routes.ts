// Every page URL, in one table. The outside words live here and in app/wire.
import { type RouteConfig, route } from "@remix-run/route-config";

export default [route("styleguide", "routes/styleguide.tsx")] satisfies RouteConfig;
