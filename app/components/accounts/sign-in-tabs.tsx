// The tabs Login and Register (U-04). They are links, so that they work without JavaScript; typed values survive a
// change of tab.
import { Link } from "@remix-run/react";
import clsx from "clsx";
import { type KeyboardEvent, useId, useRef } from "react";
import { MadeFor } from "~/components/form/made-for";
import { SignInForm, type SignInTab } from "./sign-in-form";

type SignInTabsProps = {
  tab: SignInTab;
  /** The URL of each tab. */
  pathOf: (tab: SignInTab) => string;
  /** Called on a click, in place of following the link. */
  onTab?: (tab: SignInTab) => void;
  next: string;
  /** The act to resume after the sign-in. With one, the forms submit as full page loads. */
  actToResume?: string;
  onDone?: () => void;
  focusOnMount?: boolean;
};

const TABS = [
  { value: "login", label: "Login" },
  { value: "register", label: "Register" },
] as const;

/** Fields of both forms, whose typed values move to the other one. */
const SHARED_FIELDS = ["email", "password"];

export function SignInTabs({
  tab,
  pathOf,
  onTab,
  next,
  actToResume = "",
  onDone,
  focusOnMount,
}: SignInTabsProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const drafts = useRef<Partial<Record<SignInTab, Record<string, string>>>>({});

  const saveTyped = () => {
    const form = panel.current?.querySelector("form");
    if (!form) return;
    const typedFields = Object.fromEntries(
      [...new FormData(form)].filter(([name]) => name !== "intent" && name !== "next"),
    ) as Record<string, string>;
    const other = tab === "login" ? "register" : "login";
    drafts.current[tab] = typedFields;
    const shared = Object.entries(typedFields).filter(
      ([name, text]) => SHARED_FIELDS.includes(name) && text !== "",
    );
    drafts.current[other] = { ...drafts.current[other], ...Object.fromEntries(shared) };
  };
  const switchByKey = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    const otherTab = event.currentTarget.querySelector<HTMLElement>('[aria-selected="false"]');
    otherTab?.focus();
    otherTab?.click();
  };

  return (
    <div className="flex flex-col gap-5">
      <div
        role="tablist"
        aria-label="Login or register"
        className="flex flex-wrap border-b border-line"
        onKeyDown={switchByKey}
      >
        {TABS.map(({ value, label }) => {
          const tabProps = {
            id: `${id}-${value}`,
            role: "tab",
            "aria-selected": tab === value,
            "aria-controls": tab === value ? `${id}-panel` : undefined,
            tabIndex: tab === value ? 0 : -1,
            className: clsx(
              "-mb-px flex min-h-11 flex-1 basis-32 items-center justify-center border-b-3 px-3 font-semibold",
              tab === value ? "border-ember text-ink" : "border-transparent text-soft hover:text-ink",
            ),
          };
          return actToResume === "" ? (
            <Link
              key={value}
              {...tabProps}
              to={pathOf(value)}
              replace
              preventScrollReset
              state={{ keepFocus: true }}
              onClick={(event) => {
                saveTyped();
                if (!onTab) return;
                event.preventDefault();
                onTab(value);
              }}
            >
              {label}
            </Link>
          ) : (
            <button
              key={value}
              {...tabProps}
              type="submit"
              form={`${id}-other`}
              formAction={`/auth/${value}`}
            >
              {label}
            </button>
          );
        })}
      </div>
      {actToResume !== "" && (
        <form id={`${id}-other`} method="post">
          <MadeFor />
          <input type="hidden" name="intent" value="other-tab" />
          <input type="hidden" name="next" value={next} />
          <input type="hidden" name="actToResume" value={actToResume} />
        </form>
      )}
      <div ref={panel} id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${tab}`}>
        <SignInForm
          key={tab}
          tab={tab}
          next={next}
          actToResume={actToResume}
          onDone={onDone}
          draft={drafts.current[tab]}
          focusOnMount={focusOnMount}
        />
      </div>
    </div>
  );
}
