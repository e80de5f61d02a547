// /h/{slug} is the alias of a hut, and redirects to it.
import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";

export const loader = ({ params, request }: LoaderFunctionArgs) =>
  redirect(`/group/${encodeURIComponent(params.hut ?? "")}${new URL(request.url).search}`, 301);
