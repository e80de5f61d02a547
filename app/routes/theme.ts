// Chooses the theme by a form, for pages on which no script runs.
import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { safePath } from "~/domain/accounts/safe-path";
import { themeCookie } from "~/domain/cookies";
import { MAX_BYTES_WITHOUT_TEXTS, readForm } from "~/http/read-form.server";

export async function action({ request }: ActionFunctionArgs) {
  const form = await readForm(request, MAX_BYTES_WITHOUT_TEXTS);
  const isSecure = new URL(request.url).protocol === "https:";
  return redirect(safePath(String(form.get("next") ?? "")), {
    headers: { "Set-Cookie": themeCookie(isSecure, String(form.get("theme") ?? "")) },
  });
}

/** A GET of this URL changes nothing. */
export const loader = () => redirect("/");

/** Without a component a refused form would get no error page. */
export default function ThemeChosen() {
  return null;
}
