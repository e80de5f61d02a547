// The page of every unknown URL.
import { data } from "@remix-run/cloudflare";

export const loader = () => {
  throw data({ message: "We could not find that." }, { status: 404 });
};

export default function NotFound() {
  return null;
}
