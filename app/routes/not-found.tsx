// Every address that no other route knows.
import { data } from "@remix-run/cloudflare";

export const loader = () => {
  throw data({ message: "We could not find that." }, { status: 404 });
};

export default function NotFound() {
  return null;
}
