// A running tour: Continue goes to a step's page, where its message waits for the anchor. No message has a timeout or
// closes on an outside click (U-56); on any other page the tour rests, and never redirects.
import { useLocation, useNavigate, useNavigation, useRouteLoaderData } from "@remix-run/react";
import { type Driver, driver, type PopoverDOM } from "driver.js";
import { useEffect, useRef } from "react";
import { Button } from "~/components/ui/button";
import type { TourPlaces } from "~/domain/library";
import { toast } from "~/hooks/toasts";
import { openTour, saveTour, type TourState, takePress } from "~/hooks/tour/state";
import { useReducedMotion } from "~/hooks/use-reduced-motion";
import { useShell } from "~/hooks/use-shell";
import { locationOfStep, type TourStep, tours } from "./steps";
import "driver.js/dist/driver.css";
import "./tour.css";

/** A step is centred if its anchor is missing after this time. */
const CENTRE_AFTER_MS = 400;
/** An anchor that appears within this time still gets its step. */
const WAIT_FOR_ANCHOR_MS = 5000;

/** The first visible anchor of this name: some controls exist twice, for wide and for narrow screens. */
function findAnchor(name: string | undefined): Element | undefined {
  if (!name) return undefined;
  return [...document.querySelectorAll(`[data-tour="${name}"]`)].find(
    (element) => element.getClientRects().length > 0,
  );
}

/** Scrolls the anchor clear of the top and bottom bars, which driver.js does not know, with space for the message. */
function bringIntoView(element: Element): void {
  const { top, bottom, height } = element.getBoundingClientRect();
  if (top >= 72 && bottom <= innerHeight - 72) return;
  element.scrollIntoView({ block: height < innerHeight / 2 ? "center" : "start", behavior: "instant" });
}

/** Calls `onAnchor` with the anchor, or first without one if it does not appear in time. Returns a function that stops. */
function watchAnchor(name: string | undefined, onAnchor: (anchor: Element | undefined) => void): () => void {
  const existing = findAnchor(name);
  if (!name || existing) {
    const animationId = requestAnimationFrame(() => onAnchor(findAnchor(name)));
    return () => cancelAnimationFrame(animationId);
  }
  const stop = () => {
    observer.disconnect();
    clearTimeout(centreTimer);
    clearTimeout(endTimer);
  };
  const observer = new MutationObserver(() => {
    const anchor = findAnchor(name);
    if (!anchor) return;
    stop();
    onAnchor(anchor);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  const centreTimer = setTimeout(() => onAnchor(undefined), CENTRE_AFTER_MS);
  const endTimer = setTimeout(stop, WAIT_FOR_ANCHOR_MS);
  return stop;
}

export function Tour({ state }: { state: TourState }) {
  const { steps, label } = tours[state.name];
  const step = steps[Math.min(state.step, steps.length - 1)] as TourStep;
  const { viewer } = useShell();
  // The first steps are on home, whose data have the addresses; a reload on a later step finds them in the tour's state.
  const home = useRouteLoaderData<{ tour: TourPlaces }>("routes/home");
  const places = home?.tour ?? state.places;
  const { path, anchor } = locationOfStep(step, viewer !== null, places);
  const location = useLocation();
  const navigate = useNavigate();
  const isIdle = useNavigation().state === "idle";
  const isMotionReduced = useReducedMotion();
  const tour = useRef<Driver | null>(null);
  const focusBefore = useRef<Element | null>(null);
  const goTo = (to: string) => navigate(to, { state: { keepFocus: true } });
  const moveTo = (index: number) => {
    saveTour({ ...state, places, step: index });
    const next = locationOfStep(steps[index] as TourStep, viewer !== null, places).path;
    if (!isAt(location, next)) goTo(next);
  };

  const actions = useRef({ next: () => {}, back: () => {}, leave: () => {} });
  actions.current = {
    next: () => {
      if (state.step < steps.length - 1) moveTo(state.step + 1);
      else saveTour({ ...state, step: 0, isOpen: false, isDone: true });
    },
    back: () => moveTo(Math.max(0, state.step - 1)),
    leave: () => {
      const isLast = state.step >= steps.length - 1;
      saveTour({ ...state, step: isLast ? 0 : state.step, isOpen: false, isDone: isLast });
      if (!isLast)
        toast.info("You can go on with it whenever you like.", {
          action: { label: "Resume", onClick: () => openTour(state.name) },
        });
    },
  };

  useEffect(() => {
    focusBefore.current = document.activeElement;
    return () => {
      tour.current?.destroy();
      tour.current = null;
      const origin = focusBefore.current;
      const heading = document.querySelector<HTMLElement>("#main h1");
      if (origin instanceof HTMLElement && origin !== document.body && origin.isConnected) origin.focus();
      else heading?.focus({ preventScroll: true });
    };
  }, []);

  const isOnStepPage = isAt(location, path);
  const goToStep = useRef(() => {});
  goToStep.current = () => !isOnStepPage && goTo(path);
  useEffect(() => {
    if (isIdle && takePress()) goToStep.current();
  }, [isIdle]);

  const isReady = isIdle && isOnStepPage;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page needs a new placement, for the same step too.
  useEffect(() => {
    if (!isReady) {
      tour.current?.destroy();
      return;
    }
    return watchAnchor(anchor, (element) => {
      if (!element && document.querySelector("[data-page-error]")) {
        // An installation without the tour's own activity skips to the next page.
        const firstSegment = ({ path }: TourStep) => path.split("/")[1];
        const next = steps.findIndex(
          (later, index) => index > state.step && firstSegment(later) !== firstSegment(step),
        );
        return moveTo(next === -1 ? steps.length - 1 : next);
      }
      if (element) bringIntoView(element);
      tour.current ??= driver({
        animate: !isMotionReduced,
        smoothScroll: !isMotionReduced,
        duration: 250,
        overlayColor: "#05070b",
        overlayOpacity: 0.6,
        stagePadding: 6,
        stageRadius: 10,
        popoverClass: "tour",
        // An outside click does nothing (U-56).
        overlayClickBehavior: () => {},
        onDestroyStarted: () => actions.current.leave(),
      });
      tour.current.highlight({
        ...(element ? { element } : {}),
        disableActiveInteraction: state.name === "welcome",
        onHighlighted: (highlighted) => {
          // The message is a dialog of its own, not a popup of this control.
          for (const name of ["aria-haspopup", "aria-expanded", "aria-controls"])
            highlighted?.removeAttribute(name);
        },
        popover: {
          title: step.title,
          description: step.content,
          showButtons: state.step > 0 ? ["previous", "next", "close"] : ["next", "close"],
          nextBtnText: step.button ?? "Continue",
          prevBtnText: "Back",
          showProgress: true,
          progressText: `${state.step + 1} of ${steps.length}`,
          side: "bottom",
          align: "center",
          onPopoverRender: (popover) => labelMessage(popover, step.name, label),
          onNextClick: () => actions.current.next(),
          onPrevClick: () => actions.current.back(),
          onCloseClick: () => actions.current.leave(),
        },
      });
    });
  }, [isReady, location.pathname, location.search, anchor, state.step, state.name, isMotionReduced]);

  if (!isIdle || isOnStepPage) return null;
  return (
    <div className="fixed start-4 bottom-20 z-40 flex gap-2 print:hidden">
      <Button variant="primary" onClick={() => goTo(path)}>
        Continue the tour
      </Button>
      <Button aria-label={`Leave the ${label.toLowerCase()}`} onClick={() => actions.current.leave()}>
        Leave
      </Button>
    </div>
  );
}

/** Gives a message its accessible name and its initial focus. */
function labelMessage(popover: PopoverDOM, name: string, label: string): void {
  const { wrapper, nextButton, closeButton, title } = popover;
  wrapper.dataset.step = name;
  wrapper.setAttribute("aria-modal", "true");
  title.setAttribute("role", "heading");
  title.setAttribute("aria-level", "2");
  closeButton.setAttribute("aria-label", `Leave the ${label.toLowerCase()}`);
  // After driver.js has focused the first control, which is the cross.
  setTimeout(() => nextButton.focus({ preventScroll: true }));
}

/** True if the location is the page of a step; a query counts only if the step's path has one. */
function isAt(location: { pathname: string; search: string }, path: string): boolean {
  const [pathname, search] = path.split("?");
  if (location.pathname !== pathname) return false;
  const query = new URLSearchParams(location.search);
  return [...new URLSearchParams(search ?? "")].every(([key, value]) => query.get(key) === value);
}
