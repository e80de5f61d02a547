// The parts of the public page of a series beside its dates: the next session, the standing seat, facts and thread (H-09).
import { Link } from "@remix-run/react";
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { SeriesPerson } from "~/components/series/person";
import { StandingCode } from "~/components/series/standing-code";
import { Forum } from "~/components/sessions/forum";
import { JoinCodeForm } from "~/components/sessions/join-code-form";
import { placesText } from "~/components/sessions/series-dates";
import { SitIn } from "~/components/sessions/sit-in";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { CopyButton } from "~/components/ui/copy-button";
import { Notice } from "~/components/ui/notice";
import { StatusDot } from "~/components/ui/status-dot";
import { linkClass, TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import { joiningSentence } from "~/domain/sessions/leaving";
import { sessionFull, signInToJoin } from "~/domain/sessions/refusals";
import type { PlaceSession, SeriesPlace } from "~/domain/sessions/series-place";
import { SESSION_STATUS } from "~/domain/sessions/status";
import { useActionForm } from "~/hooks/form/use-action-form";
import { useShell } from "~/hooks/use-shell";
import type { ActResult } from "~/wire/act";

type Props = {
  view: SeriesPlace;
  /** The answer to a submit without JavaScript. */
  posted: ActResult | undefined;
  /** The code in the page's address. */
  linkCode: string;
};

/** The running session, or the next one, as the only glowing card of the page. */
export function NextSession({ view, posted, linkCode }: Props) {
  const { next, series, me, dates } = view;
  if (next === null) return null;
  const at = dates.find(({ session }) => session?.id === next.id)?.at ?? null;
  const isRunning = next.status === SESSION_STATUS.running;
  const isFull = next.spotsLeft !== null && next.spotsLeft <= 0;
  return (
    <Card isGlowing className="flex flex-wrap items-center justify-between gap-4">
      <div className="flex min-w-0 flex-col gap-1">
        <StatusDot status={next.status} />
        <p className="font-title text-lg font-bold">
          {at === null ? "When the host is ready" : isRunning ? "Now" : <Time at={at} look="auto" />}
        </p>
        <p className="text-soft tabular">
          {[placesText(next), next.host && `hosted by ${next.host}`].filter(Boolean).join(" · ")}
        </p>
      </div>
      {next.canJoin && !next.isJoined && me.closed === null ? (
        <JoinNext next={next} address={series.address} posted={posted} linkCode={linkCode} />
      ) : (
        <Button asChild variant={next.isJoined ? "primary" : "quiet"} size="lg">
          <Link to={next.path}>{next.isJoined && isRunning ? "Go in" : "See the session"}</Link>
        </Button>
      )}
      {isFull && !next.isJoined && me.closed === null && (
        <Notice tone="warning" className="basis-full">
          {sessionFull}
        </Notice>
      )}
      {next.canJoin && next.takesGuests && !me.isSignedIn && (
        <div className="flex basis-full flex-col gap-4">
          <p className="text-soft">
            <TextLink to={`?auth=login&next=${encodeURIComponent(series.address)}`} preventScrollReset>
              {signInToJoin}
            </TextLink>
          </p>
          <SitIn path={next.path} needsCode={next.needsCode} linkCode={linkCode} posted={posted} />
        </div>
      )}
    </Card>
  );
}

type JoinProps = Omit<Props, "view"> & { next: PlaceSession; address: string };

function JoinNext({ next, address, posted, linkCode }: JoinProps) {
  return (
    <JoinCodeForm
      intent="join"
      action={address}
      hiddenFields={{ session: next.id }}
      needsCode={next.needsCode}
      linkCode={linkCode}
      posted={posted}
    >
      {(isBusy) => (
        <>
          <Button type="submit" variant="primary" size="lg" className="self-start" isLoading={isBusy}>
            Join
          </Button>
          <p className="text-sm text-soft">{joiningSentence(next)}</p>
        </>
      )}
    </JoinCodeForm>
  );
}

/** The form that takes a standing seat ("Join every time") or gives it up (G-13). */
export function StandingSeat({ view, posted, linkCode }: Props) {
  const { series, me } = view;
  if (series.hasEnded) return null;
  if (series.standingSince !== null)
    return (
      <>
        {series.codeExpiresAt !== null && (
          <StandingCode
            seriesId={series.id}
            until={series.codeExpiresAt}
            action={series.address}
            posted={posted}
          />
        )}
        <GiveUpSeatForm address={series.address} posted={posted} />
      </>
    );
  if (!me.canStand) return null;
  return (
    <JoinCodeForm
      intent="standing.take"
      action={series.address}
      needsCode={series.needsCode}
      linkCode={linkCode}
      posted={posted}
    >
      {(isBusy) => (
        <>
          <Button type="submit" className="self-start" isLoading={isBusy}>
            Join every time
          </Button>
          <p className="text-sm text-soft">
            You get a seat in each new session, 28 days ahead.
            {series.isFree ? " The host pays." : " Each costs 1 token."}
          </p>
        </>
      )}
    </JoinCodeForm>
  );
}

function GiveUpSeatForm({ address, posted }: { address: string; posted: Props["posted"] }) {
  const form = useActionForm({ intent: "standing.end", action: address, posted });
  return (
    <ActionForm form={form} className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="text-soft">You join every time.</p>
      <Button type="submit" variant="ghost" isLoading={form.isBusy}>
        Stop joining every time
      </Button>
      <FormErrors form={form} />
    </ActionForm>
  );
}

/** Hosts, hut, link and calendar. */
export function SeriesFacts({ view: { series, hosts, hut } }: { view: SeriesPlace }) {
  const { origin } = useShell();
  return (
    <Card as="section" className="flex flex-col gap-4">
      {hosts.length > 0 && (
        <div className="flex flex-col gap-1">
          <h2 className="text-lg">{hosts.length === 1 ? "Host" : "Hosts"}</h2>
          <ul aria-label="Hosts" className="flex flex-wrap gap-x-4 gap-y-1">
            {hosts.map((username) => (
              <li key={username}>
                <SeriesPerson username={username} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {hut && (
        <p>
          In <TextLink to={`/group/${hut.slug}`}>h/{hut.title}</TextLink>
        </p>
      )}
      <div className="flex flex-col items-start gap-2">
        <CopyButton text={`${origin}${series.address}`} label="Copy link" icon="link" />
        {!series.hasEnded && (
          <a href={`${series.address}/calendar.ics`} className={linkClass}>
            Subscribe in your calendar
          </a>
        )}
      </div>
    </Card>
  );
}

/** The posts of all sessions in one list. A viewer without a seat in the next session sees Join instead of the form (H-12). */
export function SeriesThread({ view }: Props) {
  const { posts, me, next, series } = view;
  return (
    <>
      {me.refusal !== null ? (
        <Notice tone="warning" className="max-w-3xl">
          {me.refusal}
        </Notice>
      ) : (
        next !== null &&
        !me.mayPost &&
        me.closed === null && (
          <Notice
            className="max-w-3xl"
            action={
              <Button asChild>
                <Link to={next.path}>Join</Link>
              </Button>
            }
          >
            Join the next session to write here.
          </Notice>
        )
      )}
      <Forum posts={posts} mayPost={me.mayPost} action={series.address} />
    </>
  );
}
