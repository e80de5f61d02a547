// The aliases /login and /register; a POST to them is the documented JSON call.
import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";

export function loader({ request }: LoaderFunctionArgs) {
  const { pathname, search } = new URL(request.url);
  return redirect(`/auth${pathname}${search}`);
}
