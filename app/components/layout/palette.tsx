// The palette: one field over sessions, activities, huts, people, books, and the user's own things (Y-01), a combobox
// with a list of links.
import { Link, useNavigate } from "@remix-run/react";
import clsx from "clsx";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Icon, type IconName } from "~/components/pictures/icon";
import { Dialog } from "~/components/ui/dialog";
import { Time } from "~/components/ui/time";
import type { ResultKind } from "~/domain/palette";
import { SESSION_STATUS } from "~/domain/sessions/status";
import { CallError, callServer } from "~/hooks/call-server";
import { isEnter } from "~/hooks/form/enter-key";
import { closeModal, type Modal } from "~/hooks/modal-store";
import { useBrowserLayoutEffect } from "~/hooks/use-browser-layout-effect";
import type { SearchResultWire } from "~/wire/calls/search";
import * as paths from "~/wire/paths";

const DEBOUNCE_MS = 200;
const SEARCHED_LISTS = "sessions, activities, huts, people, books, and your own goals, notes and logs";

const KINDS: Record<ResultKind, { label: string; icon: IconName }> = {
  session: { label: "Session", icon: "timer" },
  activity: { label: "Activity", icon: "hills" },
  hut: { label: "Hut", icon: "hut" },
  person: { label: "Person", icon: "person" },
  book: { label: "Book", icon: "book" },
  goal: { label: "Your goal", icon: "flag" },
  note: { label: "Your note", icon: "note" },
  log: { label: "Your log", icon: "check" },
};

type Answer = { serverData: { results: SearchResultWire[] } };
type SearchState = { q: string; results: SearchResultWire[]; problem: string | null };

/** The results of the newest text. `search` sends a text once, and returns null when a newer one replaced it. */
function useResults() {
  const [searchState, setSearchState] = useState<SearchState>({ q: "", results: [], problem: null });
  const pending = useRef<{
    q: string;
    controller: AbortController;
    answer: Promise<SearchState | null>;
  } | null>(null);
  useEffect(() => () => pending.current?.controller.abort(), []);
  const send = async (q: string, { signal }: AbortController): Promise<SearchState | null> => {
    const next: SearchState = { q, results: [], problem: null };
    try {
      if (q !== "") {
        const answer = await callServer<Answer>(paths.search, { query: { q }, signal });
        next.results = answer.serverData.results;
      }
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      next.problem = error.message;
    }
    if (signal.aborted) return null;
    pending.current = null;
    setSearchState(next);
    return next;
  };
  const search = (q: string): Promise<SearchState | null> => {
    // Enter may search for the text that the debounce has just sent.
    if (pending.current?.q === q) return pending.current.answer;
    pending.current?.controller.abort();
    const controller = new AbortController();
    const answer = send(q, controller);
    pending.current = { q, controller, answer };
    return answer;
  };
  return { searchState, search };
}

const listPath = (q: string): string => `/?q=${encodeURIComponent(q)}`;

export function Palette({ modal }: { modal: Extract<Modal, { name: "palette" }> }) {
  const id = useId();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(modal.ahead ?? modal.typed ?? "");
  const [activeIndex, setActiveIndex] = useState(0);
  const { searchState, search } = useResults();
  const q = typed.trim();
  const latest = useRef(search);
  latest.current = search;

  useBrowserLayoutEffect(() => {
    if (modal.ahead === undefined) input.current?.select();
    else input.current?.setSelectionRange(modal.ahead.length, modal.ahead.length);
  }, []);
  useEffect(() => {
    if (q === searchState.q) return;
    const timer = setTimeout(() => {
      setActiveIndex(0);
      void latest.current(q);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [q, searchState.q]);

  const addresses = [...searchState.results.map(({ url }) => url), ...(q === "" ? [] : [listPath(q)])];
  const goTo = (to: string) => {
    closeModal();
    navigate(to);
  };
  const openActive = async () => {
    if (q === "") return;
    if (q === searchState.q) return goTo(addresses[activeIndex] ?? listPath(q));
    // Enter opens the best result for the whole text, even right after its last letter.
    const answer = await search(q);
    if (answer) goTo(answer.results[0]?.url ?? listPath(q));
  };
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (isEnter(event)) void openActive();
    else if (step !== undefined && addresses.length > 0)
      setActiveIndex((activeIndex + step + addresses.length) % addresses.length);
    else return;
    event.preventDefault();
  };
  const optionProps = (index: number) => ({
    id: `${id}-${index}`,
    role: "option",
    "aria-selected": index === activeIndex,
    tabIndex: -1,
    onClick: closeModal,
    onMouseMove: () => setActiveIndex(index),
    className: clsx(
      "flex min-h-11 items-center gap-3 rounded-md px-3 py-2 text-ink no-underline",
      index === activeIndex && "bg-sunken outline-2 -outline-offset-2 outline-edge",
    ),
  });
  const hasAnswer = q === searchState.q;
  const count = searchState.results.length;

  return (
    <Dialog title="Search everything" isTitleHidden onClose={closeModal}>
      <input
        ref={input}
        role="combobox"
        aria-label="Search everything"
        aria-expanded={addresses.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={addresses.length > 0 ? `${id}-${activeIndex}` : undefined}
        type="text"
        dir="auto"
        inputMode="search"
        enterKeyHint="go"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        placeholder="Search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={handleKey}
        className="control h-11 max-w-[calc(100%-3rem)]"
      />
      <p role="status" className="text-sm text-soft">
        {q === ""
          ? `Type to find ${SEARCHED_LISTS}.`
          : (searchState.problem ??
            (count > 0 ? `${count} found` : hasAnswer ? "Nothing found." : "Searching"))}
      </p>
      <div id={`${id}-list`} role="listbox" aria-label="Found" className="flex flex-col empty:hidden">
        {searchState.results.map((result, index) => (
          <Link key={result.url} to={result.url} {...optionProps(index)}>
            <Icon name={KINDS[result.kind].icon} className="shrink-0 text-soft" />
            <span className="min-w-0 flex-1 truncate">{result.title}</span>
            <span className="shrink-0 text-sm text-soft">
              {result.status === SESSION_STATUS.running ? (
                "Running"
              ) : result.started_at ? (
                <Time at={result.started_at} />
              ) : (
                result.hut
              )}
              <span className="sr-only">, </span>{" "}
              <span className="max-sm:sr-only">{KINDS[result.kind].label}</span>
            </span>
          </Link>
        ))}
        {q !== "" && (
          <Link to={listPath(q)} {...optionProps(searchState.results.length)}>
            <Icon name="search" className="shrink-0 text-soft" />
            <span className="min-w-0 flex-1 truncate">All sessions and activities with “{q}”</span>
          </Link>
        )}
      </div>
    </Dialog>
  );
}
