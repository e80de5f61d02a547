// The content of empty lists: their sentences, and the templates of sessions (M-36, M-37).
import { Section } from "~/components/layout/page";
import { CardList, LinkCard } from "~/components/ui/card";
import type { ListQuery } from "~/domain/lists";
import { isNarrowed } from "./list-tools";

type Template = { slug: string; title: string; summary: string };

/** A search of the viewer's own sessions says nothing of the sessions that it leaves out. */
export function noSessionsSentence(query: ListQuery, templates: readonly Template[]): string {
  if (query.joined && !isNarrowed(query))
    return "You don't have any active sessions. Look for some active sessions to join.";
  if (!query.joined && templates.length > 0)
    return "We couldn't find any active sessions. Create a session using a template below!";
  return isNarrowed(query)
    ? "No results. Try other words."
    : "There are no sessions yet, and no templates to begin from.";
}

/** `advice` follows where a search of activities has no results. */
export const noActivitiesSentence = (query: ListQuery, advice: string): string =>
  query.joined && !isNarrowed(query)
    ? "You do not follow any activities yet. Look around and follow what you like."
    : `No results. ${advice}`;

export const Templates = ({ templates }: { templates: readonly Template[] }) =>
  templates.length > 0 && (
    <Section title="Templates">
      <CardList columns={2} label="Templates">
        {templates.map((template) => (
          <LinkCard
            as="li"
            key={template.slug}
            to={`/challenges/create?template=${template.slug}`}
            title={template.title}
            facts={<span>{template.summary}</span>}
          />
        ))}
      </CardList>
    </Section>
  );
