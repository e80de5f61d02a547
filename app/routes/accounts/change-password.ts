// /.well-known/change-password leads password managers to the page that changes the password.
import { redirect } from "@remix-run/cloudflare";

export const loader = () => redirect("/account#password");
