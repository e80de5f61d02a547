// Templates, shown in an empty list (M-37).
import { Section } from "~/components/layout/page";
import { CardList, LinkCard } from "~/components/ui/card";

type Template = { slug: string; title: string; summary: string };

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
