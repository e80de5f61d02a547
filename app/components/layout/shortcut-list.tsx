// The dialog that lists the keyboard shortcuts and switches them off.
import { Switch } from "~/components/ui/choices";
import { Dialog } from "~/components/ui/dialog";
import { Kbd } from "~/components/ui/kbd";
import { useShell } from "~/hooks/use-shell";
import { keyedLinks } from "./navigation-links";

/** The shortcuts of controls on pages. Each control names its key in `aria-keyshortcuts`. */
const PAGE_SHORTCUTS = [
  { keys: ["Space"], action: "Start, pause or resume the timer, as host" },
  { keys: ["Right", "Left"], action: "The next or the earlier timer, as host" },
  { keys: ["+", "−"], action: "A minute more or less, as host" },
  { keys: ["r"], action: "I am ready, before a session" },
  { keys: ["h"], action: "Raise or lower your hand, in a session" },
  { keys: ["c"], action: "A new goal, on My Goals" },
  { keys: ["l"], action: "Log progress, on a goal’s page" },
];
type Props = { isOn: boolean; onToggle: (isOn: boolean) => void; onClose: () => void };

export default function ShortcutList({ isOn, onToggle, onClose }: Props) {
  const isGuest = useShell().home !== "/";
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-1">
        <dt>
          <Kbd>?</Kbd>
        </dt>
        <dd>Show this list</dd>
        {!isGuest && (
          <>
            <dt>
              <Kbd>/</Kbd>
            </dt>
            <dd>Search everything</dd>
          </>
        )}
        {PAGE_SHORTCUTS.map(({ keys, action }) => (
          <div key={action} className="contents">
            <dt className="flex items-center gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
        {(isGuest ? [] : keyedLinks).map((link) => (
          <div key={link.key} className="contents">
            <dt className="flex items-center gap-1">
              <Kbd>g</Kbd> <span className="sr-only">then</span> <Kbd>{link.key}</Kbd>
            </dt>
            <dd>{link.label}</dd>
          </div>
        ))}
      </dl>
      <Switch
        label="Use shortcuts"
        checked={isOn}
        onChange={(event) => onToggle(event.currentTarget.checked)}
      />
    </Dialog>
  );
}
