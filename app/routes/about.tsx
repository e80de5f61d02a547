// About: a description, and a passage of an old book to paraphrase (P-04).
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Drawing } from "~/components/pictures/drawing";
import { LongText } from "~/components/static/long-text";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { TextLink } from "~/components/ui/text-link";
import { useShell } from "~/hooks/use-shell";
import { load } from "~/http/load.server";
import { randomSnippet } from "~/use-cases/items/books.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, (app) => randomSnippet(app, { chance: Math.random() }));

/** Visitors get the page without scripts. */
export const handle = { isText: true };

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "About",
    description:
      "It began with old books: read a passage, say it in your own words, and do things together with others.",
  });

export default function About() {
  const { appName } = useShell();
  const snippet = useLoaderData<typeof loader>();
  return (
    <Page
      title="About"
      picture={<Drawing name="hut" className="h-44 w-auto text-faint" />}
      intro="A bothy is a small hut in the hills, free for anyone to use. There is a fire, a table, and whoever else came by."
    >
      <LongText>
        <p>
          It began with old books. Reading one alone is easy to put off; reading a short{" "}
          <strong>snippet</strong> of it together, at an hour you agreed on, is not. Each reader then writes a{" "}
          <strong>paraphrase</strong>: the same thought in words of their own. What you can say yourself, you
          have understood.
        </p>
        <p>
          What works for a page of an old book works for the rest of life. So {appName} grew: set a goal, log
          what you did, and meet others in a <strong>session</strong> where the same timers run for everybody,
          to run, write, tidy up, practise, or sit still.
        </p>
      </LongText>
      {snippet ? (
        <Card as="section" className="flex max-w-[68ch] flex-col gap-4">
          <h2 className="text-lg">A random passage</h2>
          <blockquote className="border-s-4 border-ember ps-4 whitespace-pre-line">
            {snippet.content}
          </blockquote>
          <p className="text-sm text-soft">
            From{" "}
            <TextLink to={`/books/${snippet.bookSlug}/snippets/${snippet.id}`}>
              {snippet.bookTitle}, passage {snippet.number}
            </TextLink>
          </p>
          <div className="flex flex-wrap gap-3">
            <Button asChild variant="primary">
              <Link to={`/books/${snippet.bookSlug}/snippets/${snippet.id}#paraphrase`}>
                Say it in your own words
              </Link>
            </Button>
            <Button asChild>
              <Link to="/about" reloadDocument>
                Another passage
              </Link>
            </Button>
          </div>
        </Card>
      ) : null}
      <LongText>
        <h2>How it works</h2>
        <ul>
          <li>
            <TextLink to="/activities">Activities</TextLink> are things worth doing again: a reading hour,
            interval training, a tidy-up.
          </li>
          <li>
            <TextLink to="/events">Sessions</TextLink> are timed runs of an activity, with a clock, a roster
            and a chat.
          </li>
          <li>
            <TextLink to="/groups">Huts</TextLink> are people who like the same activities.
          </li>
          <li>
            <TextLink to="/my/goals">Goals</TextLink> are your own; what you log in a session lands there too.
          </li>
        </ul>
        <p>
          {appName} is in development: things still change, and your feedback shapes them. It is paid with{" "}
          <TextLink to="/tokens#token-rates">tokens</TextLink>; ten are yours when you register.
        </p>
      </LongText>
    </Page>
  );
}
