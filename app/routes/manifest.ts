// The name and icons of the installed app (site.webmanifest).
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { load } from "~/http/load.server";

const ICONS = [
  ["/favicon.svg", "any", "image/svg+xml"],
  ["/icon-192.png", "192x192", "image/png"],
  ["/icon-512.png", "512x512", "image/png"],
  ["/icon-maskable-512.png", "512x512", "image/png", "maskable"],
] as const;

export async function loader(args: LoaderFunctionArgs) {
  const name = await load(args, async (app) => app.settings.appName);
  const manifest = {
    name,
    short_name: name,
    description: "Timed group sessions, personal goals and huts, live in one place.",
    id: "/",
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: "#11151c",
    theme_color: "#11151c",
    icons: ICONS.map(([src, sizes, type, purpose]) => ({ src, sizes, type, purpose })),
    shortcuts: [
      { name: "My Goals", url: "/my/goals" },
      { name: "Sessions", url: "/events" },
    ],
  };
  return new Response(JSON.stringify(manifest), {
    headers: { "Content-Type": "application/manifest+json", "Cache-Control": "public, max-age=86400" },
  });
}
