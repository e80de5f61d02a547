// The styleguide: status, cards, notices, long text, error page.
import { ErrorPage } from "~/components/layout/error-page";
import { Section } from "~/components/layout/page";
import { Countdown } from "~/components/schedule/countdown";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Card, CardList, LinkCard } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { Notice, Warning } from "~/components/ui/notice";
import { ReadMore } from "~/components/ui/read-more";
import { StatusDot } from "~/components/ui/status-dot";
import { Time } from "~/components/ui/time";
import { TimeSpan } from "~/components/ui/time-span";
import { instant, MINUTE } from "~/domain/time";
import { toast } from "~/hooks/toasts";
import { useShell } from "~/hooks/use-shell";
import { Row } from "./row";

export function Messages() {
  return (
    <>
      <Section title="Status and badges">
        <Row>
          <StatusDot status={0} />
          <StatusDot status={1} />
          <StatusDot status={2} />
        </Row>
        <Row>
          <Badge>Writing</Badge>
          <Badge tone="ember">3 spots left</Badge>
          <Badge tone="pine">Done</Badge>
          <Badge tone="dusk">Waiting</Badge>
          <Badge tone="red">Ended</Badge>
        </Row>
        <Row label="Times">
          <Times />
        </Row>
      </Section>
      <Section title="Cards">
        <CardList>
          <LinkCard
            as="li"
            to="/sessions/10"
            title="Morning pages"
            isGlowing
            mark={<StatusDot status={1} />}
            facts="h/writers · 12 people · ends 10:30"
            action={<Button variant="primary">Join</Button>}
          />
          <LinkCard
            as="li"
            to="/sessions/11"
            title="A quiet hour of reading old books aloud and writing down what they say in our own words"
            mark={<StatusDot status={0} />}
            facts="h/readers · starts in 2 hours"
            action={<Button>Join</Button>}
          />
        </CardList>
        <Card>A plain card holds anything.</Card>
        <EmptyState drawing="kettle" action={<Button variant="primary">Create a New Session</Button>}>
          You don't have any active sessions. Look for some active sessions to join.
        </EmptyState>
      </Section>
      <Section title="Notices">
        <Notice>Chat is active when the session is in progress.</Notice>
        <Warning title="Please sign in" action={<Button>Login</Button>}>
          Please login or create an account to join a session.
        </Warning>
        <Notice tone="error">This session is full and is not accepting additional participants.</Notice>
        <Notice tone="success">Tokens successfully added</Notice>
        <Row label="Toasts">
          <Button
            onClick={() =>
              toast.success("Goal created successfully!", {
                action: { label: "View the goal", to: "/my/goals" },
              })
            }
          >
            Success
          </Button>
          <Button onClick={() => toast.info("The session has started!")}>Info</Button>
          <Button onClick={() => toast.validation(["Timer 1 needs a title.", "The duration cannot be 0"])}>
            Validation
          </Button>
          <Button onClick={() => toast.error("Couldn't upload file: hut.svg.", { title: "Upload failed" })}>
            Error
          </Button>
        </Row>
      </Section>
      <Section title="Long text">
        <ReadMore>
          <div className="prose">
            <h3>What a bothy is</h3>
            {[1, 2, 3, 4, 5, 6].map((paragraph) => (
              <p key={paragraph}>
                A bothy is a small hut in the hills, left unlocked for anyone who comes by. There is no warden
                and no bill; whoever sleeps there sweeps the floor and leaves some wood for{" "}
                <a href="/about">whoever comes next</a>.
              </p>
            ))}
          </div>
        </ReadMore>
      </Section>
      <Section title="When a page cannot be">
        <div className="-mx-4">
          <ErrorPage error={{ status: 404, statusText: "", internal: false, data: null }} />
        </div>
      </Section>
    </>
  );
}

function Times() {
  const { now } = useShell();
  return (
    <>
      <Time at={now} />
      <Time at={now + 90 * MINUTE} show="relative" />
      <TimeSpan from={now} to={now + 90 * MINUTE} />
      <Time at={now + 300 * 24 * 60 * MINUTE} show="both" look="full" />
      <Countdown to={instant(now + 12.5 * MINUTE)} label="Starts in" />
    </>
  );
}
