// The terms of service (P-05).
import type { MetaFunction } from "@remix-run/cloudflare";
import { Page } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { LongText } from "~/components/static/long-text";
import { TextLink } from "~/components/ui/text-link";
import { useShell } from "~/hooks/use-shell";

/** Visitors get the page without scripts. */
export const handle = { isText: true };

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Terms of Service",
    description: "What you may expect of us, and what we expect of you.",
  });

export default function Terms() {
  const { appName } = useShell();
  return (
    <Page title="Terms of Service" intro="What you may expect of us, and what we expect of you.">
      <LongText>
        <h2>The service</h2>
        <p>
          {appName} lets you set goals, log progress, and take part in activities, sessions and huts with
          others. It is in development: parts of it change, and now and then something does not work. We fix
          it as fast as we can.
        </p>
        <h2>Your account</h2>
        <p>
          An account is for one person. Keep your password to yourself. You may act under several names, but
          not as somebody else. You can take out everything you own and delete your account at any time on
          your account page.
        </p>
        <h2>What you write</h2>
        <p>
          It stays yours. By posting it where others can read it you allow us to show it to them. Do not post
          what is against the law, what is not yours to post, what hurts or harasses people, or advertising.
        </p>
        <h2>Challenge administrators</h2>
        <p>
          Whoever builds a challenge or a session, and those they name, are its challenge administrators. They
          decide who takes part, when it starts and ends, and may remove people from it. They speak for
          themselves, not for us. If you have trouble with one that you cannot settle, tell us.
        </p>
        <h2>Doing things is at your own risk</h2>
        <p>
          {appName} keeps time; it does not know your knees. Before you take up an activity that strains you,
          ask somebody who does.
        </p>
        <h2>Tokens, plans and money</h2>
        <p>
          Using it costs tokens at the <TextLink to="/tokens#token-rates">rates shown</TextLink>, which may
          change. Tokens you buy never expire; tokens of a plan expire when the paid period of 30 days ends.
          Plans renew by themselves; you can cancel at any time, with effect at the end of the period. There
          are no refunds of money. Tokens of sessions that never start come back to who paid them, and so does
          the token of a seat that you leave an hour or more before the start. The{" "}
          <TextLink to="/tokens#token-rates">rates</TextLink> name the exceptions.
        </p>
        <h2>Ending</h2>
        <p>
          You can leave whenever you like. We may close accounts that break these terms, after telling you
          why. If we change these terms we say so before they apply.
        </p>
      </LongText>
    </Page>
  );
}
