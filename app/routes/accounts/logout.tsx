// Signing out by a form, with and without JavaScript. (`POST /logout` itself is the documented JSON call.)
import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import { MAX_BYTES_WITHOUT_TEXTS, readForm } from "~/http/read-form.server";
import { errorAnswer } from "~/http/reply.server";
import { logout } from "~/use-cases/accounts/accounts.server";
import { requireMadeFor } from "~/use-cases/made-for.server";
import { MADE_FOR_FIELD } from "~/wire/made-for";

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, MAX_BYTES_WITHOUT_TEXTS);
  try {
    requireMadeFor(context.app.user, String(form.get(MADE_FOR_FIELD) ?? ""));
  } catch (thrown) {
    const { status, body, headers } = errorAnswer(thrown);
    throw data(body, { status, headers });
  }
  await logout(context.app);
  return redirect("/");
}

/** A GET of this URL changes nothing. */
export const loader = () => redirect("/");

/** Without a component a refused form would get no error page. */
export default function SignedOut() {
  return null;
}
