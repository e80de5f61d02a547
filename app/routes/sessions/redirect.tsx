// The former addresses of a session: /events/{id} and its tabs redirect to /sessions/{id}, with their query.
import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";

export const TABS = ["", "goals", "member-goals", "logs", "hut", "chat"] as const;

export function loader({ params, request }: LoaderFunctionArgs) {
  const { event = "", "*": tab = "" } = params;
  const isKnown = /^\d+$/.test(event) && TABS.some((knownTab) => knownTab === tab.replace(/\/$/, ""));
  if (!isKnown) throw new Response("Not Found", { status: 404 });
  const path = tab === "" ? `/sessions/${event}` : `/sessions/${event}/${tab.replace(/\/$/, "")}`;
  return redirect(path + new URL(request.url).search, 301);
}
