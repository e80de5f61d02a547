// /sessions is an alias of the list of sessions, and redirects to it with its query.
import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";

export const loader = ({ request }: LoaderFunctionArgs) =>
  redirect(`/events${new URL(request.url).search}`, 301);
