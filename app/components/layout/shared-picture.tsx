// The picture a link to this page shows where it is shared: of the session or the activity it is about.
import { useMatches } from "@remix-run/react";
import { useShell } from "~/hooks/use-shell";

type Shared = { title: string; slug?: string; id?: number };
const isShared = (value: unknown): value is Shared =>
  typeof value === "object" && value !== null && "title" in value && "path" in value;

function pictureOf(all: readonly unknown[]): { path: string; about: string } | null {
  for (const data of all) {
    if (typeof data !== "object" || data === null) continue;
    const { session, activity } = data as { session?: unknown; activity?: unknown };
    if (isShared(session) && session.id)
      return { path: `/social/sessions/${session.id}.png`, about: session.title };
    if (isShared(activity) && activity.slug)
      return { path: `/social/activities/${activity.slug}.png`, about: activity.title };
  }
  return null;
}

export function SharedPicture() {
  const { origin } = useShell();
  const picture = pictureOf(useMatches().map((match) => match.data));
  if (!picture)
    return (
      <>
        <meta property="og:image" content={`${origin}/icon-512.png`} />
        <meta name="twitter:card" content="summary" />
      </>
    );
  return (
    <>
      <meta property="og:image" content={origin + picture.path} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={picture.about} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
