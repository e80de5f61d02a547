// Every component in every state, both themes side by side; local runs only. The accessibility and picture tests walk
// over it too.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLocation } from "@remix-run/react";
import { type ReactNode, useState } from "react";
import { ErrorPage } from "~/components/layout/error-page";
import { Page, Section } from "~/components/layout/page";
import { pageMeta } from "~/components/layout/page-meta";
import { Drawing, type DrawingName } from "~/components/pictures/drawing";
import { Mark } from "~/components/pictures/mark";
import { Countdown } from "~/components/timer/countdown";
import { FullScreenFace } from "~/components/timer/full-screen-face";
import { type RibbonPart, ScheduleRibbon } from "~/components/timer/schedule-ribbon";
import { type FaceState, TimerFace } from "~/components/timer/timer-face";
import { Avatar } from "~/components/ui/avatar";
import { Badge } from "~/components/ui/badge";
import { Breadcrumbs } from "~/components/ui/breadcrumbs";
import { Button, type ButtonVariant } from "~/components/ui/button";
import { Card, CardList, LinkCard } from "~/components/ui/card";
import { Checkbox, Radio, Switch } from "~/components/ui/choices";
import { ConfirmDialog } from "~/components/ui/confirm-dialog";
import { CopyButton } from "~/components/ui/copy-button";
import { Dialog } from "~/components/ui/dialog";
import { DropdownMenu, MenuButton, MenuLink, MenuSeparator } from "~/components/ui/dropdown-menu";
import { EmptyState } from "~/components/ui/empty-state";
import { Field, FieldGroup } from "~/components/ui/field";
import { Select, TextArea, TextInput } from "~/components/ui/inputs";
import { Kbd } from "~/components/ui/kbd";
import { LinkTabs, Pills } from "~/components/ui/link-tabs";
import { Notice, Warning } from "~/components/ui/notice";
import { Pagination } from "~/components/ui/pagination";
import { ProgressBar } from "~/components/ui/progress-bar";
import { ReadMore } from "~/components/ui/read-more";
import { SkeletonCards } from "~/components/ui/skeleton";
import { Spinner } from "~/components/ui/spinner";
import { StatusDot } from "~/components/ui/status-dot";
import { Tabs } from "~/components/ui/tabs";
import { OutsideLink, TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import { toast } from "~/components/ui/toasts";
import { Tooltip } from "~/components/ui/tooltip";
import { AppError } from "~/domain/errors";
import { instant, MINUTE, SECOND } from "~/domain/time";
import { useShell } from "~/hooks/use-shell";
import { load } from "~/http/load.server";

/** `?answer=403`: the page that is shown where this happens. */
const errors = new Map<string, () => Error>([
  ["401", () => new AppError("UNAUTHENTICATED")],
  ["403", () => new AppError("FORBIDDEN")],
  ["404", () => new AppError("NOT_FOUND")],
  ["409", () => new AppError("CONFLICT")],
  ["429", () => new AppError("RATE_LIMITED", undefined, { retryAfter: 60 })],
  ["500", () => new Error("Asked for by the styleguide.")],
]);

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (app) => {
    if (!app.settings.isLocalRun) throw new AppError("NOT_FOUND");
    const error = errors.get(new URL(args.request.url).searchParams.get("answer") ?? "");
    if (error) throw error();
    return { madeAt: app.now };
  });

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: "Styleguide",
    description: "Every component in every state, both themes.",
    more: [{ name: "robots", content: "noindex" }],
  });

const themes = ["light", "dark"] as const;

export default function Styleguide() {
  return (
    <Page title="Styleguide" intro="Every component in every state, in both themes." width="wide">
      <div className="grid gap-6 xl:grid-cols-2">
        {themes.map((theme) => (
          <div
            key={theme}
            data-theme={theme}
            className="flex min-w-0 flex-col gap-12 rounded-xl border border-line bg-paper p-4 text-ink sm:p-6"
          >
            <h2 className="text-xl">{theme === "light" ? "Day" : "Night"}</h2>
            <Specimens theme={theme} />
          </div>
        ))}
      </div>
    </Page>
  );
}

function Row({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <div className="flex flex-col gap-2">
      {label && <p className="text-sm text-faint">{label}</p>}
      <div className="flex flex-wrap items-center gap-3">{children}</div>
    </div>
  );
}

const variants: ButtonVariant[] = ["primary", "quiet", "danger", "ghost"];
const names = [
  "Morag Reid",
  "finlay",
  "isla_m",
  "Hamish",
  "ailsa-99",
  "callum",
  "Eilidh",
  "rory",
  "Catriona",
  "Angus",
];
const drawings: DrawingName[] = ["hut", "lamp", "path", "kettle", "hills"];
const colours = [
  "paper",
  "surface",
  "raised",
  "sunken",
  "line",
  "edge",
  "ink",
  "soft",
  "faint",
  "ember",
  "ember-strong",
  "ember-wash",
  "glow",
  "pine",
  "pine-wash",
  "dusk",
  "dusk-wash",
  "red",
  "red-wash",
];

function Specimens({ theme }: { theme: string }) {
  return (
    <>
      <Section title="Timer">
        <Faces />
      </Section>
      <Section title="Colours">
        <ul className="grid grid-cols-3 gap-3 sm:grid-cols-5">
          {colours.map((name) => (
            <li key={name} className="flex flex-col gap-1 text-sm">
              <span className="h-12 rounded-md border border-line" style={{ background: `var(--${name})` }} />
              {name}
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Type">
        <p className="font-title text-2xl font-bold">Timed sessions, together</p>
        <p className="font-title text-xl font-bold">Start in five minutes</p>
        <p className="text-lg">A bothy is a small hut, free for anyone to use.</p>
        <p className="max-w-[65ch]">
          Plain text at sixteen pixels, under seventy-two characters a line.{" "}
          <TextLink to="/about">A link</TextLink>, and{" "}
          <OutsideLink href="https://example.com">one to elsewhere</OutsideLink>.
        </p>
        <p className="text-sm text-soft">Small text for facts and hints. 0123456789</p>
      </Section>
      <Section title="Buttons">
        {variants.map((variant) => (
          <Row key={variant} label={variant}>
            <Button variant={variant}>Create session</Button>
            <Button variant={variant} isLoading>
              Create session
            </Button>
            <Button variant={variant} disabled>
              Create session
            </Button>
          </Row>
        ))}
        <Row label="large, icon, as a link">
          <Button variant="primary" size="lg">
            Start Session
          </Button>
          <Tooltip text="Add a part">
            <Button size="icon" aria-label="Add">
              <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden="true">
                <path d="M10 4v12M4 10h12" />
              </svg>
            </Button>
          </Tooltip>
          <Button asChild>
            <Link to="/events">To the sessions</Link>
          </Button>
          <CopyButton text="H7K2P" label="Copy the code" />
        </Row>
      </Section>
      <Section title="Forms">
        <Field label="Title" hint="What people will see in the list." isRequired>
          <TextInput name="title" defaultValue="Morning pages" />
        </Field>
        <Field
          label="Duration"
          error="The duration cannot be 0. Give it at least five minutes."
          aside={<TextLink to="/about">What can I write?</TextLink>}
        >
          <TextInput name="duration" defaultValue="0" />
        </Field>
        <Field label="Username" hint="A username never changes.">
          <TextInput name="username" defaultValue="morag" disabled />
        </Field>
        <Field label="Difficulty">
          <Select
            name="difficulty"
            placeholder="Any"
            options={[
              { value: 3, label: "Easy" },
              { value: 4, label: "Normal" },
              { value: 6, label: "Difficult" },
            ]}
          />
        </Field>
        <Field label="Content">
          <TextArea name="content" placeholder="What is it about?" />
        </Field>
        <FieldGroup legend="Parts">
          <Checkbox name="linked" label="Each part starts where the one before ends" defaultChecked />
          <Checkbox name="hidden" label="Hidden" hint="Only you see it." />
          <Checkbox name="never" label="Not now" disabled />
          <Switch name="auto" label="Start by itself" defaultChecked />
          <Switch name="free" label="Joining is free" hint="You pay for who joins." />
          <Radio name={`start-${theme}`} label="At a time" value="time" defaultChecked />
          <Radio name={`start-${theme}`} label="When I say so" value="manual" />
        </FieldGroup>
      </Section>
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
        <SkeletonCards count={1} />
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
      <Section title="Moving about">
        <Breadcrumbs
          items={[
            { label: "Home", to: "/" },
            { label: "My Goals", to: "/my/goals" },
            { label: "Goal: Read" },
          ]}
        />
        <LinkTabs
          label="Session"
          tabs={[
            { to: "/styleguide", label: "Details" },
            { to: "/styleguide/goals", label: "Goals" },
            { to: "/styleguide/forum", label: "Forum" },
            { to: "/styleguide/chat", label: "Chat" },
          ]}
        />
        <Pills
          label="Mine"
          tabs={["My Goals", "My Logs", "My Sessions", "My Groups", "My Notes"].map((label, at) => ({
            to: at === 0 ? "/styleguide" : `/styleguide/${at}`,
            label,
          }))}
        />
        <Tabs
          label="In the page"
          tabs={[
            { value: "login", label: "Login", content: <p>Come in.</p> },
            { value: "register", label: "Register", content: <p>Welcome.</p> },
          ]}
        />
        <Pagination page={2} hasNext label={`Pages, ${theme}`} />
        <Pagination page={1} hasNext label={`First pages, ${theme}`} />
        <Row label="Menu, dialogs, keys">
          <DropdownMenu
            align="start"
            trigger="Options"
            triggerClassName="inline-flex min-h-11 items-center rounded-md border border-edge bg-raised px-4 font-semibold hover:bg-sunken"
          >
            <MenuLink to="/challenges/create">Update</MenuLink>
            <MenuButton disabled>Leave</MenuButton>
            <MenuSeparator />
            <MenuButton isDanger>Delete</MenuButton>
          </DropdownMenu>
          <DialogSpecimen />
          <ConfirmDialog
            trigger={<Button variant="danger">Delete</Button>}
            title="Delete this note?"
            confirmLabel="Delete note"
            onConfirm={() => toast.success("Success!")}
          >
            The note is gone afterwards. You cannot get it back.
          </ConfirmDialog>
          <Kbd>g</Kbd> <Kbd>s</Kbd>
          <Spinner />
        </Row>
      </Section>
      <Section title="Long text">
        <ReadMore>
          <div className="prose">
            <h3>What a bothy is</h3>
            {Array.from({ length: 6 }, (_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
              <p key={at}>
                A bothy is a small hut in the hills, left unlocked for anyone who comes by. There is no warden
                and no bill; whoever sleeps there sweeps the floor and leaves some wood for{" "}
                <a href="/about">whoever comes next</a>.
              </p>
            ))}
          </div>
        </ReadMore>
      </Section>
      <Section title="Faces and progress">
        <Row>
          {names.map((name) => (
            <Avatar key={name} name={name} size={48} label={name} />
          ))}
        </Row>
        <Row label="online, whose turn">
          <Avatar name="Morag Reid" size={48} isOnline label="Morag Reid, online" />
          <Avatar name="finlay" size={48} isTheirTurn label="finlay, whose turn it is" />
        </Row>
        <ProgressBar label="Pages" value={3} max={10} text="3 of 10 pages" isTextShown />
        <ProgressBar label="Hours" value={10} max={10} text="10 of 10 hours" isTextShown />
      </Section>
      <Section title="Drawings">
        <div className="grid gap-4 text-soft sm:grid-cols-2">
          {drawings.map((name) => (
            <Drawing key={name} name={name} label={name} className="w-full" />
          ))}
        </div>
        <Row>
          <Mark className="size-8" />
          <Mark className="size-16" />
        </Row>
      </Section>
      <Section title="When a page cannot be">
        <Card>
          <ErrorPage error={{ status: 404, statusText: "", internal: false, data: null }} />
        </Card>
      </Section>
    </>
  );
}

function DialogSpecimen() {
  const [isOpen, setIsOpen] = useState(useLocation().search === "?dialog");
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Dialog</Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title="Enter the code to join the session"
        footer={
          <Button variant="primary" onClick={() => setIsOpen(false)}>
            Continue
          </Button>
        }
      >
        <Field label="Join Code" isRequired>
          <TextInput name="code" autoComplete="off" />
        </Field>
      </Dialog>
    </>
  );
}

function Times() {
  const { now } = useShell();
  return (
    <>
      <Time at={now} />
      <Time at={now + 90 * MINUTE} show="relative" />
      <Time at={now + 300 * 24 * 60 * MINUTE} show="both" look="full" />
      <Countdown to={instant(now + 12.5 * MINUTE)} label="Starts in" />
    </>
  );
}

function Faces() {
  const { now } = useShell();
  const [start] = useState(now);
  const [isFull, setIsFull] = useState(false);
  const face = (state: FaceState, title: string, span: number, left: number, detail?: string) => ({
    title,
    state,
    span,
    detail,
    remainingAt: (at: number) => (state === "running" ? Math.max(0, start + left - at) : left),
  });
  const parts: RibbonPart[] = [
    { id: "a", title: "Settle in", span: 5 * MINUTE, state: "finished" },
    {
      id: "b",
      title: "Deep work",
      span: 25 * MINUTE,
      state: "running",
      ticks: [0.2, 0.4, 0.6, 0.8],
      doneAt: (at) => Math.min(1, 1 - (start + 17.5 * MINUTE - at) / (25 * MINUTE)),
    },
    { id: "c", title: "Break", span: 5 * MINUTE, state: "waiting", isGap: true },
    { id: "d", title: "Deep work again", span: 25 * MINUTE, state: "waiting" },
    { id: "e", title: "Tell each other", span: 10 * MINUTE, state: "waiting" },
  ];
  const running = face("running", "Deep work", 25 * MINUTE, 17.5 * MINUTE, "Set 2 of 3 · Focus");
  const ribbon = { parts, next: { title: "Break", at: instant(start + 17.5 * MINUTE) } };
  return (
    <>
      <TimerFace {...running} />
      <ScheduleRibbon {...ribbon} />
      <ScheduleRibbon
        label="Paused schedule"
        parts={parts.map((part) =>
          part.id === "b" ? { ...part, state: "paused", doneAt: () => 0.3 } : part,
        )}
      />
      <Row>
        <Button onClick={() => setIsFull(true)}>Full screen</Button>
      </Row>
      <div className="grid gap-8 sm:grid-cols-3">
        <TimerFace {...face("waiting", "Morning pages", 0, 2 * 60 * MINUTE + 5 * MINUTE)} />
        <TimerFace {...face("paused", "Reading", 30 * MINUTE, 12 * MINUTE + 34 * SECOND)} />
        <TimerFace {...face("finished", "Stretching", 10 * MINUTE, 0)} />
      </div>
      {isFull && <FullScreenFace face={running} ribbon={ribbon} onClose={() => setIsFull(false)} />}
    </>
  );
}
