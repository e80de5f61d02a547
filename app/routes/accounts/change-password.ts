// /.well-known/change-password redirects password managers to the form that changes the password.
import { redirect } from "@remix-run/cloudflare";

export const loader = () => redirect("/account#password");
