// Chooses the parent of an item (U-48, U-54): a fold with a search and radio buttons for the user's huts and items
// and None. The radio buttons belong to the form, so it works without JavaScript.

import { useId, useRef, useState } from "react";
import { NewHut } from "~/components/huts/new-hut";
import { Icon } from "~/components/pictures/icon";
import { type FieldError, FieldErrors } from "~/components/ui/field";
import { matchingOptions, OptionSearch } from "~/components/ui/option-search";
import type { ParentOption } from "./shapes";

type Props = {
  options: readonly ParentOption[];
  defaultValue: string;
  error?: FieldError;
  onChange?: () => void;
};

export function ParentPicker({ options, defaultValue, error, onChange }: Props) {
  const id = useId();
  const fold = useRef<HTMLDetailsElement>(null);
  const [chosenValue, setChosenValue] = useState(defaultValue);
  const [newHuts, setNewHuts] = useState<ParentOption[]>([]);
  const parents = [...newHuts.filter((hut) => !options.some(({ value }) => value === hut.value)), ...options];
  const [searchText, setSearchText] = useState("");
  const matches = matchingOptions(parents, searchText);
  const chosenParent = parents.find((option) => option.value === chosenValue);
  const shownValues = new Set(matches.map((option) => option.value));
  const ordered = [...matches, ...parents.filter((option) => !shownValues.has(option.value))];
  const pick = (value: string) => {
    setChosenValue(value);
    onChange?.();
  };
  return (
    <div className="flex flex-col gap-1.5">
      <span id={`${id}-label`} className="font-semibold">
        Parent
      </span>
      <details ref={fold} className="rounded-md border border-edge bg-raised">
        <summary
          className="flex min-h-11 cursor-pointer items-center gap-2 px-3 py-2"
          aria-labelledby={`${id}-label ${id}-chosen`}
        >
          <span id={`${id}-chosen`} className="min-w-0 truncate">
            {chosenParent?.fullTitle ?? "None"}
          </span>
          <Icon name="down" className="ms-auto text-faint" />
        </summary>
        <div className="flex flex-col gap-2 border-t border-line p-3">
          <OptionSearch
            label="Search parents"
            query={searchText}
            onQuery={setSearchText}
            onEnter={() => matches[0] && pick(matches[0].value)}
            hasMatch={matches.length > 0}
          >
            <div
              role="radiogroup"
              aria-labelledby={`${id}-label`}
              className="flex max-h-56 flex-col overflow-y-auto"
            >
              {ordered.map((option) => (
                <label
                  key={option.value}
                  hidden={!shownValues.has(option.value)}
                  className="flex min-h-11 items-center gap-3 rounded-sm px-1 hover:bg-sunken [&[hidden]]:hidden"
                >
                  <input
                    type="radio"
                    name="parent"
                    className="check"
                    value={option.value}
                    checked={option.value === chosenValue}
                    onChange={() => pick(option.value)}
                  />
                  <span className="min-w-0 truncate">{option.fullTitle}</span>
                </label>
              ))}
            </div>
          </OptionSearch>
          <NewHut
            onCreated={(hut) => {
              const value = `hut:${hut.id}`;
              setNewHuts((previous) => [
                { value, title: hut.title, fullTitle: `${hut.title}, hut`, to: `/me/${hut.slug}` },
                ...previous,
              ]);
              pick(value);
              setSearchText("");
              fold.current?.querySelector("summary")?.focus();
            }}
          />
        </div>
      </details>
      <FieldErrors error={error} />
    </div>
  );
}
