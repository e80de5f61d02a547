// The keyboard shortcuts. They can be switched off (WCAG 2.1.4); the dialog that lists them loads when it first opens.
import { useNavigate } from "@remix-run/react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { openedModal, openModal } from "~/hooks/modal-store";
import { useShell } from "~/hooks/use-shell";
import { keyedLinks } from "./navigation-links";

const ShortcutList = lazy(() => import("./shortcut-list"));

const SECOND_KEY_WITHIN_MS = 1500;
const STORAGE_KEY = "shortcuts";

function readIsOn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== "off";
  } catch {
    return true;
  }
}

const KEY_NAMES: Record<string, string> = { " ": "Space", "+": "Plus" };
const CONTROLS = "a, button, summary, input, select, [tabindex='0']";

/**
 * Clicks the control of the page that has this shortcut, unless another control has the focus (WCAG 2.1.4). True if it
 * clicked one.
 */
function pressControl(key: string): boolean {
  if (document.activeElement?.matches(CONTROLS)) return false;
  const control = [...document.querySelectorAll<HTMLElement>("[aria-keyshortcuts]:not(:disabled)")].find(
    (element) =>
      element.getAttribute("aria-keyshortcuts") === (KEY_NAMES[key] ?? key) && element.checkVisibility(),
  );
  // This control disappears when pressed. If it has the focus, the part that replaces it receives the focus.
  if (key === "l") control?.focus();
  control?.click();
  return control !== undefined;
}

/** Text that is typed before the palette shows goes into its field. True if it took the key. */
function typeAhead(key: string): boolean {
  const modal = openedModal();
  if (modal?.name !== "palette" || key.length !== 1) return false;
  openModal({ ...modal, ahead: (modal.ahead ?? "") + key });
  return true;
}

/** True while the user is typing text. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches("input:not([type=checkbox], [type=radio]), textarea, select, [role=textbox]"));

/** A key with a modifier, in a text, held down, or handled already is no shortcut. */
const isShortcut = (event: KeyboardEvent): boolean =>
  !(event.ctrlKey || event.metaKey || event.altKey) &&
  !(event.defaultPrevented || event.repeat || isTyping(event.target));

export function Shortcuts() {
  const navigate = useNavigate();
  // A guest has the page of one session only, and no search (H-19).
  const hasOtherPages = useShell().home === "/";
  const [isListOpen, setIsListOpen] = useState(false);
  const [isOn, setIsOn] = useState(readIsOn);
  const goPressedAt = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    const handleKey = ({ key, timeStamp }: KeyboardEvent): boolean => {
      const isDialogOpen = document.querySelector("dialog:modal") !== null;
      if (!isDialogOpen && typeAhead(key)) return true;
      if (key === "?") {
        setIsListOpen(true);
        return true;
      }
      if (!isOn || isDialogOpen) return false;
      if (timeStamp - goPressedAt.current < SECOND_KEY_WITHIN_MS) {
        goPressedAt.current = Number.NEGATIVE_INFINITY;
        const link = keyedLinks.find((candidate) => candidate.key === key);
        if (link) navigate(link.to);
        return link !== undefined;
      }
      if (!hasOtherPages && /[g/]/.test(key)) return false;
      if (key === "g") goPressedAt.current = timeStamp;
      if (key === "/") openModal({ name: "palette" });
      return key === "/" || (key !== "g" && pressControl(key));
    };
    const listen = (event: KeyboardEvent) => {
      if (isShortcut(event) && handleKey(event)) event.preventDefault();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [isOn, hasOtherPages, navigate]);

  const switchShortcuts = (isSwitchedOn: boolean) => {
    setIsOn(isSwitchedOn);
    try {
      localStorage.setItem(STORAGE_KEY, isSwitchedOn ? "on" : "off");
    } catch {
      // Without storage the choice lasts for this visit.
    }
  };

  return isListOpen ? (
    <Suspense>
      <ShortcutList isOn={isOn} onToggle={switchShortcuts} onClose={() => setIsListOpen(false)} />
    </Suspense>
  ) : null;
}
