// Notes with a toggle for a new one at the top (U-20, U-21), on My Notes and on a goal's own page.
import { Link, useSearchParams } from "@remix-run/react";
import { isFiltered } from "~/components/lists/is-filtered";
import { PagedList } from "~/components/lists/paged-list";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import type { NoteShown } from "~/domain/goals/notes";
import type { PageOf } from "~/domain/list-pages";
import { useHasMounted } from "~/hooks/form/use-inline-edit";
import { OFFLINE_TOGGLE_ATTRIBUTE, useFormToggle } from "~/hooks/form-toggle";
import { NoteCard } from "./note-card";
import { NoteForm } from "./note-form";
import { OwnSearch } from "./own-search";

type Props = { list: PageOf<NoteShown> & { newUuid: string }; goalId?: number; isSearchable?: boolean };

/** Removes the form from the query. */
const withoutForm = (query: URLSearchParams) => {
  query.delete("create");
  return query;
};

const useIsCreating = (query: URLSearchParams): boolean => (query.get("create") === "1") !== useFormToggle();

/** The toggle beside the page's title. An empty page has its only button in the middle instead. */
export function NoteToggle({ list }: Pick<Props, "list">) {
  const [query] = useSearchParams();
  const isCreating = useIsCreating(query);
  return isCreating || list.rows.length > 0 || isFiltered(query, "q") ? <Toggle /> : null;
}

function Toggle({ size }: { size?: "lg" }) {
  const [query] = useSearchParams();
  const isCreating = useIsCreating(query);
  const toggled = new URLSearchParams(query);
  if (query.get("create") === "1") toggled.delete("create");
  else toggled.set("create", "1");
  return (
    <Button asChild variant={isCreating ? "quiet" : "primary"} {...(size ? { size } : {})}>
      <Link to={`?${toggled}`} preventScrollReset {...{ [OFFLINE_TOGGLE_ATTRIBUTE]: "" }}>
        <Icon name={isCreating ? "close" : "plus"} />
        {isCreating ? "Close the form" : "Create a Note"}
      </Link>
    </Button>
  );
}

const NO_NOTES = {
  text: (
    <>
      <p>You haven't created any notes yet.</p>
      <p>Write down what you plan, what is still to do, and what is done.</p>
    </>
  ),
  action: <Toggle size="lg" />,
};

export function NoteBoard({ list, goalId, isSearchable = false }: Props) {
  const [query, setQuery] = useSearchParams();
  const isCreating = useIsCreating(query);
  const isOpenedByPress = useHasMounted();
  return (
    <>
      {isCreating && (
        <Card as="section">
          <NoteForm
            note={null}
            newUuid={list.newUuid}
            takesFocus={isOpenedByPress}
            {...(goalId !== undefined ? { goalId } : {})}
            onDone={() => setQuery(withoutForm, { preventScrollReset: true })}
          />
        </Card>
      )}
      <PagedList
        list={list}
        search={isSearchable && <OwnSearch label="Search your notes" formLabel="Your notes" />}
        drawing="lamp"
        noMatch="No notes found."
        empty={isCreating ? null : NO_NOTES}
      >
        {(notes) => (
          <ul aria-label="Notes" className="flex flex-col gap-3">
            {notes.map((note) => (
              <NoteCard
                key={note.id}
                note={note}
                canEdit
                showsGoal={goalId === undefined}
                startsEditing={query.get("edit") === String(note.id)}
              />
            ))}
          </ul>
        )}
      </PagedList>
    </>
  );
}
