// Signing out by a form, with and without JavaScript. (`POST /logout` itself is the documented JSON call.)
import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { logout } from "~/use-cases/accounts.server";

export async function action({ context }: ActionFunctionArgs) {
  await logout(context.app);
  return redirect("/");
}

/** A GET of this URL changes nothing. */
export const loader = () => redirect("/");
