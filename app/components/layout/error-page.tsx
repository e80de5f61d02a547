// The error page: a drawing, what happened, what to do, from one table of statuses.
import { isRouteErrorResponse, Link, useLocation } from "@remix-run/react";
import { Drawing, type DrawingName } from "~/components/pictures/drawing";
import { Button, buttonClass } from "~/components/ui/button";
import { titleOfStatus } from "~/domain/error-titles";
import { useIsOffline } from "~/hooks/outbox/use-is-offline";
import { useShell } from "~/hooks/use-shell";
import { useModalPath } from "./modal-outlet";

type Wording = { drawing: DrawingName; sentence: string };

const WORDINGS: Record<string, Wording> = {
  401: { drawing: "lamp", sentence: "Please sign in to see this page." },
  403: { drawing: "hut", sentence: "You are not allowed to see this page." },
  404: {
    drawing: "path",
    sentence: "The address may be mistyped, or the page has been removed.",
  },
  409: {
    drawing: "hut",
    sentence: "Something has changed in the meantime. Please go back and try again.",
  },
  419: { drawing: "hut", sentence: "Please go back, reload the page and try again." },
  429: {
    drawing: "kettle",
    sentence: "That was a lot at once. Put the kettle on and try again in a minute.",
  },
  offline: {
    drawing: "hills",
    sentence: "This page could not be reached. Please try again when you are online.",
  },
};

const UNKNOWN_ERROR: Wording = {
  drawing: "lamp",
  sentence: "Something went wrong on our side. Please try again.",
};

const wordingOf = (kind: string, status: number): Wording =>
  WORDINGS[kind] ?? (status < 500 ? WORDINGS["404"] : undefined) ?? UNKNOWN_ERROR;

/** The facts of a thrown value: status, sentence, request id. */
function factsOf(error: unknown): {
  status: number;
  sentence: string | null;
  requestId: string | null;
  isNetwork: boolean;
} {
  if (isRouteErrorResponse(error)) {
    const body: unknown = error.data;
    const field = (name: string) =>
      typeof body === "object" && body !== null && name in body
        ? String((body as Record<string, unknown>)[name])
        : null;
    return {
      status: error.status,
      sentence: field("message"),
      requestId: field("request_id"),
      isNetwork: false,
    };
  }
  const isNetwork =
    error instanceof TypeError && /fetch|network|load failed|dynamically imported/i.test(error.message);
  return { status: 500, sentence: null, requestId: null, isNetwork };
}

export function ErrorPage({ error }: { error: unknown }) {
  const { viewer, home } = useShell();
  const location = useLocation();
  const modalPath = useModalPath();
  const isOffline = useIsOffline();
  const facts = factsOf(error);
  const kind = facts.isNetwork || isOffline ? "offline" : String(facts.status);
  const wording = wordingOf(kind, facts.status);
  const needsLogin = !viewer && (facts.status === 401 || facts.status === 403);
  const canTryAgain = kind === "offline" || facts.status >= 500 || facts.status === 429;
  return (
    <div data-page-error className="error-page">
      <Drawing name={wording.drawing} className="h-40 w-auto text-soft" />
      <h1 tabIndex={-1} className="text-2xl">
        {titleOfStatus(kind)}
      </h1>
      <p className="text-lg text-soft">
        {kind === "offline" || kind === "404" ? wording.sentence : (facts.sentence ?? wording.sentence)}
      </p>
      <div className="flex flex-wrap justify-center gap-3 pt-2">
        {needsLogin && (
          <Link
            to={modalPath("auth", "login", { next: location.pathname + location.search })}
            className={buttonClass("primary", "lg")}
          >
            Login
          </Link>
        )}
        {canTryAgain && (
          <Button variant="primary" size="lg" asChild>
            <a href={location.pathname + location.search}>Try again</a>
          </Button>
        )}
        <Link to={home} className={buttonClass(needsLogin || canTryAgain ? "quiet" : "primary", "lg")}>
          Go home
        </Link>
      </div>
      {import.meta.env.MODE === "development" && <Trace error={error} />}
      {facts.requestId && (
        <p className="text-sm text-faint">
          If it keeps happening, tell us this number: <code className="select-all">{facts.requestId}</code>
        </p>
      )}
    </div>
  );
}

/** Under `npm run dev`: where the error was thrown. */
function Trace({ error }: { error: unknown }) {
  const body: unknown = isRouteErrorResponse(error) ? error.data : { trace: (error as Error).stack };
  const text = typeof body === "object" && body !== null && "trace" in body ? String(body.trace) : null;
  return text && <pre className="w-full overflow-x-auto text-start text-sm">{text}</pre>;
}
