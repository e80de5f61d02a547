// The keyboard shortcuts and the dialog that lists them. They can be switched off (WCAG 2.1.4).
import { useNavigate } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { Switch } from "~/components/ui/choices";
import { Dialog } from "~/components/ui/dialog";
import { Kbd } from "~/components/ui/kbd";
import { openedModal, openModal } from "~/hooks/modal-store";
import { furtherLinks, mainLinks } from "./navigation-links";

const SECOND_KEY_WITHIN_MS = 1500;
const STORED = "shortcuts";
const links = [...furtherLinks.slice(0, 1), ...mainLinks, ...furtherLinks.slice(1)];

function readIsOn(): boolean {
  try {
    return localStorage.getItem(STORED) !== "off";
  } catch {
    return true;
  }
}

/** The keys of controls that pages have; a control names its own in `aria-keyshortcuts`. */
const OF_PAGES = [
  { keys: ["Space"], does: "Start, pause or resume the timer, as host" },
  { keys: ["Right", "Left"], does: "The next or the earlier timer, as host" },
  { keys: ["+", "−"], does: "A minute more or less, as host" },
  { keys: ["r"], does: "I am ready, before a session" },
  { keys: ["c"], does: "A new goal, on My Goals" },
  { keys: ["l"], does: "Log progress, on a goal’s page" },
];
const NAMES: Record<string, string> = { " ": "Space", "+": "Plus" };
const CONTROLS = "a, button, summary, input, select, [tabindex='0']";

/** Keys belong to the control that has the focus (WCAG 2.1.4). True if a control of the page took the key. */
function pressControl(key: string): boolean {
  if (document.activeElement?.matches(CONTROLS)) return false;
  const control = [...document.querySelectorAll<HTMLElement>("[aria-keyshortcuts]:not(:disabled)")].find(
    (one) => one.getAttribute("aria-keyshortcuts") === (NAMES[key] ?? key) && one.checkVisibility(),
  );
  // The press takes it off the page, and the part around it keeps the keyboard's place.
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

/** Keys of the browser, of a control or of a text, and a held key, are no shortcuts. */
const isShortcut = (event: KeyboardEvent): boolean =>
  !(event.ctrlKey || event.metaKey || event.altKey) &&
  !(event.defaultPrevented || event.repeat || isTyping(event.target));

export function Shortcuts() {
  const navigate = useNavigate();
  const [isListShown, setIsListShown] = useState(false);
  const [isOn, setIsOn] = useState(readIsOn);
  const goAt = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    const press = ({ key, timeStamp }: KeyboardEvent): boolean => {
      const isBehind = document.querySelector("dialog:modal") !== null;
      if (!isBehind && typeAhead(key)) return true;
      if (key === "?") {
        setIsListShown(true);
        return true;
      }
      if (!isOn || isBehind) return false;
      if (timeStamp - goAt.current < SECOND_KEY_WITHIN_MS) {
        goAt.current = Number.NEGATIVE_INFINITY;
        const link = links.find((candidate) => candidate.key === key);
        if (link) navigate(link.to);
        return link !== undefined;
      }
      if (key === "g") goAt.current = timeStamp;
      if (key === "/") openModal({ name: "palette" });
      return key === "/" || (key !== "g" && pressControl(key));
    };
    const listen = (event: KeyboardEvent) => {
      if (isShortcut(event) && press(event)) event.preventDefault();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [isOn, navigate]);

  const turn = (on: boolean) => {
    setIsOn(on);
    try {
      localStorage.setItem(STORED, on ? "on" : "off");
    } catch {
      // Without storage the choice lasts for this visit.
    }
  };

  return (
    <Dialog title="Keyboard shortcuts" isOpen={isListShown} onClose={() => setIsListShown(false)}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-1">
        <dt>
          <Kbd>?</Kbd>
        </dt>
        <dd>Show this list</dd>
        <dt>
          <Kbd>/</Kbd>
        </dt>
        <dd>Search everything</dd>
        {OF_PAGES.map(({ keys, does }) => (
          <div key={does} className="contents">
            <dt className="flex items-center gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
        {links.map((link) => (
          <div key={link.key} className="contents">
            <dt className="flex items-center gap-1">
              <Kbd>g</Kbd> <span className="sr-only">then</span> <Kbd>{link.key}</Kbd>
            </dt>
            <dd>{link.label}</dd>
          </div>
        ))}
      </dl>
      <Switch label="Use shortcuts" checked={isOn} onChange={(event) => turn(event.currentTarget.checked)} />
    </Dialog>
  );
}
