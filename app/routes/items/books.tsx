// The books that users read and paraphrase, passage by passage (C-46).
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Icon } from "~/components/pictures/icon";
import { CardList, LinkCard } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { Pagination } from "~/components/ui/pagination";
import { firstWords } from "~/domain/items/snippets";
import { load } from "~/http/load.server";
import { listBooks } from "~/use-cases/items/books.server";
import { page } from "~/wire/values";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, listBooks, { input: z.object({ page }) as never });
export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Books",
    description: "Old books to read in passages and to say in your own words.",
  });

const BookSign = () => (
  <span className="grid size-12 place-content-center rounded-md bg-dusk-wash text-dusk">
    <Icon name="book" className="is-large" />
  </span>
);

export default function Books() {
  const { books, page, hasNext } = useLoaderData<typeof loader>();
  return (
    <Page title="Books" intro="Read a passage, then say it in your own words.">
      {books.length === 0 ? (
        <EmptyState drawing="lamp">
          <p>There are no books yet.</p>
        </EmptyState>
      ) : (
        <CardList columns={books.length > 1 ? 2 : 1} label="Books">
          {books.map((book) => (
            <li key={book.id}>
              <LinkCard
                to={`/books/${book.slug}`}
                title={book.title}
                headingLevel={2}
                media={<BookSign />}
                className="h-full"
                facts={
                  <span className="tabular">
                    {book.passages} {book.passages === 1 ? "passage" : "passages"}
                  </span>
                }
              >
                <p className="line-clamp-2 max-w-[65ch] text-soft">
                  {book.summary || firstWords(book.start ?? "")}
                </p>
              </LinkCard>
            </li>
          ))}
        </CardList>
      )}
      <Pagination page={page} hasNext={hasNext} />
    </Page>
  );
}
