// The page of a card inside another site, for the routes of sessions and series (J-11).
import { useLoaderData } from "@remix-run/react";
import type { EmbedView } from "~/domain/sessions/embed";
import { EmbedCard } from "./embed-card";

export default function EmbedPage() {
  const view = useLoaderData() as EmbedView;
  // Only the server renders the card, so the browser's bundle leaves it out.
  return import.meta.env.SSR ? <EmbedCard view={view} /> : null;
}
