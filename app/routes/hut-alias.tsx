// /h/{slug} is written h/{slug} and leads to the hut.
import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";

export const loader = ({ params, request }: LoaderFunctionArgs) =>
  redirect(`/group/${encodeURIComponent(params.hut ?? "")}${new URL(request.url).search}`, 301);
