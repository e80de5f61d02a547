// A book: its passages in order.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Button } from "~/components/ui/button";
import { CardList, LinkCard } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { Pagination } from "~/components/ui/pagination";
import { TextLink } from "~/components/ui/text-link";
import { firstWords } from "~/domain/items/split-book";
import { oneLine } from "~/domain/text-fields";
import { load } from "~/http/load.server";
import { viewBook } from "~/use-cases/items/books.server";
import { page } from "~/wire/values";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewBook, { input: z.object({ book: oneLine(), page }) as never });
export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: args.data?.book.title ?? "Not found",
    description: args.data?.book.summary || "A book, to read in passages and to say in your own words.",
  });

export default function Book() {
  const { book, snippets, page, hasNext } = useLoaderData<typeof loader>();
  const [first] = snippets;
  return (
    <Page
      title={book.title}
      breadcrumbs={[{ label: "Books", to: "/books" }, { label: book.title }]}
      intro={
        <>
          Imported by <TextLink to={`/${book.username}`}>{book.username}</TextLink>
        </>
      }
      actions={
        first &&
        page === 1 && (
          <Button asChild variant="primary">
            <Link to={`/books/${book.slug}/snippets/${first.id}`} prefetch="intent">
              Start reading
            </Link>
          </Button>
        )
      }
    >
      {book.summary !== "" && (
        <p dir="auto" className="mb-6 max-w-prose text-soft">
          {book.summary}
        </p>
      )}
      {snippets.length === 0 ? (
        <EmptyState drawing="lamp">
          <p>This book has no passages.</p>
        </EmptyState>
      ) : (
        <CardList label="Passages">
          {snippets.map((snippet) => (
            <li key={snippet.id}>
              <LinkCard
                to={`/books/${book.slug}/snippets/${snippet.id}`}
                title={`Passage ${snippet.number}`}
                headingLevel={2}
              >
                <p className="line-clamp-2 text-soft">{firstWords(snippet.start)}</p>
              </LinkCard>
            </li>
          ))}
        </CardList>
      )}
      <Pagination page={page} hasNext={hasNext} />
    </Page>
  );
}
