// The privacy policy (P-06).
import type { MetaFunction } from "@remix-run/cloudflare";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { LongText } from "~/components/static/long-text";
import { TextLink } from "~/components/ui/text-link";

/** Visitors get the page without scripts. */
export const handle = { isText: true };

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Privacy Policy",
    description: "What we store about you, why, and how to have it removed.",
  });

export default function Privacy() {
  return (
    <Page title="Privacy Policy" intro="Last updated January 1, 2025">
      <LongText>
        <h2>What we store</h2>
        <ul>
          <li>Your email address, username and, if you give them, your names.</li>
          <li>
            What you write and log: goals, logs, notes, posts, messages, items, and the images you upload.
          </li>
          <li>Which activities, sessions and huts you take part in.</li>
          <li>
            Your tokens and purchases. Card numbers go to the payment provider and never reach us; we keep the
            brand and last four digits.
          </li>
          <li>
            For each browser you are signed in with: when, with which browser, and roughly from where, so that
            you can end it.
          </li>
        </ul>
        <h2>What others see</h2>
        <p>
          Your username, the items you publish, and what you do inside a session or hut: to its members, or to
          everybody where it is open. Your email address, your own goals, logs and notes are seen by nobody
          else.
        </p>
        <h2>Cookies</h2>
        <p>
          One that keeps you signed in, one that guards forms, an encrypted one that makes your pages faster,
          and small ones for your theme, time zone and where to read fresh data. None of them follows you
          anywhere, and there is no advertising.
        </p>
        <h2>Whom we share it with</h2>
        <p>
          Cloudflare runs our servers and database and delivers our mail. Stripe takes payments. Summaries of
          sessions are made by a language model on Cloudflare. Nobody else gets anything, unless a law forces
          us.
        </p>
        <h2>How long</h2>
        <p>
          As long as you have an account. You can take out everything and delete your account on{" "}
          <TextLink to="/account">your account page</TextLink>; after the grace period shown there it is
          deleted, apart from payment records that the law makes us keep.
        </p>
      </LongText>
    </Page>
  );
}
