// The books that users read and paraphrase, passage by passage (C-46).
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Icon } from "~/components/pictures/icon";
import { CardList, LinkCard } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { FilterChip } from "~/components/ui/filter-chip";
import { Pagination } from "~/components/ui/pagination";
import { firstWords } from "~/domain/items/split-book";
import { useShell } from "~/hooks/use-shell";
import { load } from "~/http/load.server";
import type { App } from "~/use-cases/app.server";
import { listBooks, listFavoritePassages } from "~/use-cases/items/books.server";
import { flag, page } from "~/wire/values";

const Query = z.object({ page, favorites: flag.optional().catch(undefined) });

/** All books, or the favourite passages of all of them. */
const listBooksOrFavorites = async (app: App, { favorites, page }: z.output<typeof Query>) =>
  favorites
    ? { books: null, ...(await listFavoritePassages(app, { page })) }
    : { passages: null, ...(await listBooks(app, { page })) };

export const loader = (args: LoaderFunctionArgs) =>
  load(args, listBooksOrFavorites, { input: Query, whenSignedOut: "redirect-if-refused" });
export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Books",
    description: "Old books to read in passages and to say in your own words.",
  });

const BookIcon = () => (
  <span className="grid size-12 place-content-center rounded-md bg-dusk-wash text-dusk">
    <Icon name="book" className="is-large" />
  </span>
);

export default function Books() {
  const { books, passages, page, hasNext } = useLoaderData<typeof loader>();
  const { viewer } = useShell();
  return (
    <Page title="Books" intro="Read a passage, then say it in your own words.">
      {viewer && (
        <p>
          <FilterChip
            to={passages ? "/books" : "?favorites=1"}
            isOn={passages !== null}
            label="Favourite passages"
          />
        </p>
      )}
      {passages !== null ? (
        <Passages passages={passages} />
      ) : books.length === 0 ? (
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
                media={<BookIcon />}
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

type Passage = { id: number; number: number; start: string; bookSlug: string; bookTitle: string };

function Passages({ passages }: { passages: readonly Passage[] }) {
  if (passages.length === 0)
    return (
      <EmptyState drawing="lamp">
        <p>No favourites yet. Press the star of a passage, and you find it here.</p>
      </EmptyState>
    );
  return (
    <CardList label="Favourites">
      {passages.map((passage) => (
        <li key={passage.id}>
          <LinkCard
            to={`/books/${passage.bookSlug}/snippets/${passage.id}`}
            title={`${passage.bookTitle}, passage ${passage.number}`}
            headingLevel={2}
          >
            <p className="line-clamp-2 text-soft">{firstWords(passage.start)}</p>
          </LinkCard>
        </li>
      ))}
    </CardList>
  );
}
