// Renders the open modal: by the URL (`?auth=login` …) or by an action (hooks/modal-store.ts). Every modal is registered
// here and has a chunk of its own; the server renders those that the URL opens.
import { useLocation } from "@remix-run/react";
import { type ComponentType, lazy, memo, Suspense } from "react";
import { type Modal, useActionToResume, useModal } from "~/hooks/modal-store";
import { useKept } from "~/hooks/use-kept";

type ModalProps = {
  /** The query of the current URL, e.g. `auth`, `next`. */
  query: URLSearchParams;
  /** The URL after closing: this page without the modal's own parameters. */
  closeTo: string;
};

type ModalEntry = {
  /** The query parameter that opens it. */
  parameter: string;
  /** Other parameters of this modal, which closing removes too. */
  alsoClears?: readonly string[];
  Modal: ComponentType<ModalProps>;
};

const AuthModal = lazy(async () => ({
  default: (await import("~/components/accounts/auth-modal")).AuthModal,
}));

const modals: readonly ModalEntry[] = [{ parameter: "auth", alsoClears: ["next"], Modal: AuthModal }];

type Openers = { [Name in Modal["name"]]?: ComponentType<{ modal: Extract<Modal, { name: Name }> }> };

/** Opened by `openModal`, in the browser only. */
const openers: Openers = {
  auth: lazy(async () => ({ default: (await import("~/components/accounts/auth-modal")).AuthModalOnAction })),
  confirm: lazy(async () => ({
    default: (await import("~/components/accounts/confirm-modal")).ConfirmModal,
  })),
  "join-code": lazy(async () => ({
    default: (await import("~/components/sessions/join-code-modal")).JoinCodeModal,
  })),
  palette: lazy(async () => ({ default: (await import("./palette")).Palette })),
  "purchase-tokens": lazy(async () => ({
    default: (await import("~/components/payments/purchase-modal")).PurchaseModal,
  })),
  report: lazy(async () => ({
    default: (await import("~/components/safety/report-modal")).ReportModal,
  })),
  subscribe: lazy(async () => ({
    default: (await import("~/components/payments/subscribe-modal")).SubscribeModal,
  })),
};

const ResumeInterrupted = lazy(async () => ({
  default: (await import("~/components/payments/resume-interrupted")).ResumeInterrupted,
}));

// Memoised because a render of the frame would reach a modal that the server rendered before its chunk has hydrated it.
export const ModalOutlet = memo(() => (
  <>
    <AddressModal />
    <ActionModal />
    <Resume />
  </>
));

/** Resumes the action that waited for tokens, once they have arrived. */
function Resume() {
  return useActionToResume() !== null ? (
    <Suspense>
      <ResumeInterrupted />
    </Suspense>
  ) : null;
}

function ActionModal() {
  const modal = useModal();
  const Opened = modal && (openers[modal.name] as ComponentType<{ modal: Modal }> | undefined);
  return modal && Opened ? (
    <Suspense>
      <Opened key={modal.name} modal={modal} />
    </Suspense>
  ) : null;
}

function AddressModal() {
  const location = useLocation();
  const query = new URLSearchParams(location.search);
  // The answer to an act that needs a sign-in opens the sign-in form, whatever its address (R-93).
  const isAsked = useKept() !== null;
  const open = modals.find((modal) => query.has(modal.parameter) || (isAsked && modal.parameter === "auth"));
  if (!open) return null;
  const rest = new URLSearchParams(query);
  for (const name of [open.parameter, ...(open.alsoClears ?? [])]) rest.delete(name);
  const search = rest.toString();
  return (
    <Suspense>
      <open.Modal
        query={query}
        closeTo={`${location.pathname}${search ? `?${search}` : ""}${location.hash}`}
      />
    </Suspense>
  );
}

/** The URL that opens a modal over the current page. */
export function useModalPath(): (parameter: string, value: string, more?: Record<string, string>) => string {
  const location = useLocation();
  return (parameter, value, more = {}) => {
    const query = new URLSearchParams(location.search);
    query.set(parameter, value);
    for (const [name, text] of Object.entries(more)) query.set(name, text);
    return `${location.pathname}?${query}`;
  };
}
