// A passage of a book with its neighbours and paraphrases (P-22).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { Favorite } from "~/components/items/favorite";
import { ParaphraseCard, ParaphraseForm } from "~/components/items/paraphrase";
import { Page, Section } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { SignInWarning } from "~/components/layout/sign-in-warning";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { oneLine } from "~/domain/text-fields";
import { ParaphraseFormChange, ParaphraseFormInput } from "~/forms/items/books";
import { useShell } from "~/hooks/use-shell";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { MAX_BYTES_WITH_TEXTS } from "~/http/read-form.server";
import {
  createParaphrase,
  readParaphrase,
  updateParaphrase,
  viewSnippet,
} from "~/use-cases/items/books.server";
import { id } from "~/wire/values";

const Address = z.object({ book: oneLine(), snippet: id });
export const loader = (args: LoaderFunctionArgs) => load(args, viewSnippet, { input: Address as never });

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    {
      "paraphrase.create": on(ParaphraseFormInput, createParaphrase, {
        toast: "Success!",
        readAgain: readParaphrase,
      }),
      "paraphrase.update": on(ParaphraseFormChange, updateParaphrase, { toast: "Success!" }),
    },
    MAX_BYTES_WITH_TEXTS,
  );

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: args.data ? `${args.data.snippet.bookTitle}, passage ${args.data.snippet.number}` : "Not found",
    description: args.data?.snippet.content ?? "",
  });

export default function Snippet() {
  const { snippet, paraphrases, isFavorite } = useLoaderData<typeof loader>();
  const { viewer } = useShell();
  const pathOf = (snippetId: number) => `/books/${snippet.bookSlug}/snippets/${snippetId}`;
  return (
    <Page
      title={`${snippet.bookTitle}, passage ${snippet.number}`}
      breadcrumbs={[
        { label: "Books", to: "/books" },
        { label: snippet.bookTitle, to: `/books/${snippet.bookSlug}` },
        { label: `Passage ${snippet.number}` },
      ]}
      actions={<Favorite kind="snippet" id={snippet.id} isOn={isFavorite} />}
    >
      <blockquote className="max-w-[68ch] border-s-4 border-ember ps-4 text-lg whitespace-pre-line">
        {snippet.content}
      </blockquote>
      <nav aria-label="Passages" className="flex flex-wrap gap-3">
        {snippet.before !== null && (
          <Button asChild>
            <Link to={pathOf(snippet.before)} rel="prev" prefetch="intent">
              <Icon name="arrow-left" />
              Passage before
            </Link>
          </Button>
        )}
        {snippet.after !== null && (
          <Button asChild>
            <Link to={pathOf(snippet.after)} rel="next" prefetch="intent">
              Next passage
              <Icon name="arrow-right" />
            </Link>
          </Button>
        )}
      </nav>
      <Section title="Say it in your own words" id="paraphrase" className="max-w-3xl">
        {viewer ? (
          <ParaphraseForm key={snippet.id} snippetId={snippet.id} />
        ) : (
          <SignInWarning>Please sign in to write a paraphrase.</SignInWarning>
        )}
      </Section>
      <Section title="Paraphrases">
        {paraphrases.length === 0 ? (
          <p className="text-soft">Nobody has paraphrased this passage yet.</p>
        ) : (
          <ul aria-label="Paraphrases" className="flex flex-col gap-3">
            {paraphrases.map((paraphrase) => (
              <ParaphraseCard key={paraphrase.id} paraphrase={paraphrase} snippetId={snippet.id} />
            ))}
          </ul>
        )}
      </Section>
    </Page>
  );
}
