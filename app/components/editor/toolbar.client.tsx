// The editor's toolbar: one Tab stop, arrow keys between the tools, Escape back to the text.
import clsx from "clsx";
import { forwardRef, type KeyboardEvent, useRef, useState } from "react";
import { Icon, type IconName } from "~/components/pictures/icon";
import type { ActiveFormatting } from "./active.client";
import * as edits from "./edits.client";
import type { Surface } from "./milkdown.client";

type Props = {
  active: ActiveFormatting;
  panel: "link" | "image" | null;
  isSource: boolean;
  isReady: boolean;
  onEdit: (edit: Parameters<Surface["call"]>[0]) => void;
  onPanel: (panel: "link" | "image") => void;
  onSource: () => void;
  onLeave: () => void;
};

type Tool = {
  name: string;
  icon: IconName;
  press: () => void;
  isPressed?: boolean;
  isExpanded?: boolean;
  isDisabled?: boolean;
  keys?: string;
};

function toolsOf({ active, panel, isSource, onEdit, onPanel, onSource }: Props): Tool[] {
  const edit = (change: Parameters<Surface["call"]>[0]) => () => onEdit(change);
  return [
    {
      name: "Bold",
      icon: "bold",
      press: edit(edits.toggleBold),
      isPressed: active.isBold,
      keys: "Control+B",
    },
    {
      name: "Italic",
      icon: "italic",
      press: edit(edits.toggleItalic),
      isPressed: active.isItalic,
      keys: "Control+I",
    },
    {
      name: "Link",
      icon: "link",
      press: () => onPanel("link"),
      isPressed: active.link !== null,
      isExpanded: panel === "link",
      keys: "Control+K",
    },
    {
      name: "Bulleted list",
      icon: "list",
      press: edit(edits.toggleList("bullet")),
      isPressed: active.list === "bullet",
      keys: "Control+Alt+8",
    },
    {
      name: "Numbered list",
      icon: "numbered-list",
      press: edit(edits.toggleList("ordered")),
      isPressed: active.list === "ordered",
      keys: "Control+Alt+7",
    },
    {
      name: "Code block",
      icon: "code",
      press: edit(edits.toggleCodeBlock),
      isPressed: active.code !== null,
      keys: "Control+Alt+C",
    },
    { name: "Image", icon: "image", press: () => onPanel("image"), isExpanded: panel === "image" },
    {
      name: "Undo",
      icon: "undo",
      press: edit(edits.undoEdit),
      isDisabled: !active.canUndo,
      keys: "Control+Z",
    },
    {
      name: "Redo",
      icon: "redo",
      press: edit(edits.redoEdit),
      isDisabled: !active.canRedo,
      keys: "Control+Shift+Z",
    },
    { name: "Edit source", icon: "source", press: onSource, isPressed: isSource },
  ];
}

const HEADINGS = ["Paragraph", "Heading 1", "Heading 2", "Heading 3", "Heading 4"];

export const Toolbar = forwardRef<HTMLDivElement, Props>(function Toolbar(props, ref) {
  const { active, isSource, isReady, onEdit, onLeave } = props;
  const [tabStop, setTabStop] = useState(0);
  const isKeyboardUsed = useRef(false);
  const isOff = isSource || !isReady;
  const tools = toolsOf(props);

  const moveFocus = (event: KeyboardEvent<HTMLDivElement>) => {
    isKeyboardUsed.current = true;
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      onLeave();
      return;
    }
    const controls = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-tool]")];
    const focused = controls.indexOf(event.target as HTMLElement);
    const next = {
      ArrowRight: (focused + 1) % controls.length,
      ArrowLeft: (focused - 1 + controls.length) % controls.length,
      Home: 0,
      End: controls.length - 1,
    }[event.key];
    if (next === undefined || focused < 0) return;
    event.preventDefault();
    setTabStop(next);
    controls[next]?.focus();
  };

  return (
    <div
      ref={ref}
      role="toolbar"
      aria-label="Text tools"
      aria-orientation="horizontal"
      className="editor-tools"
      onKeyDown={moveFocus}
      onPointerDown={() => {
        isKeyboardUsed.current = false;
      }}
    >
      <select
        data-tool
        aria-label="Style"
        className="control editor-style"
        tabIndex={tabStop === 0 ? 0 : -1}
        aria-disabled={isOff || undefined}
        disabled={isOff}
        value={Math.min(active.heading, 4)}
        onFocus={() => setTabStop(0)}
        onChange={(event) => {
          const level = Number(event.target.value);
          const { currentTarget } = event;
          onEdit(edits.setHeading(level));
          // Arrow keys keep the focus in the select.
          if (isKeyboardUsed.current) currentTarget.focus();
        }}
      >
        {HEADINGS.map((name, level) => (
          <option key={name} value={level}>
            {name}
          </option>
        ))}
      </select>
      {tools.map((tool, index) => {
        const isDisabled = tool.isDisabled || (isOff && tool.name !== "Edit source") || !isReady;
        return (
          <button
            key={tool.name}
            type="button"
            data-tool
            tabIndex={tabStop === index + 1 ? 0 : -1}
            aria-label={tool.name}
            title={tool.keys ? `${tool.name} (${tool.keys.replaceAll("Control", "Ctrl")})` : tool.name}
            aria-pressed={tool.isPressed}
            aria-expanded={tool.isExpanded}
            aria-disabled={isDisabled || undefined}
            aria-keyshortcuts={tool.keys}
            className={clsx("editor-tool", tool.isPressed && "is-pressed")}
            onFocus={() => setTabStop(index + 1)}
            // A press leaves the selection in the text.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => !isDisabled && tool.press()}
          >
            <Icon name={tool.icon} />
          </button>
        );
      })}
    </div>
  );
});
