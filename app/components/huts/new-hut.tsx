// Creates a hut while the user chooses a parent (U-52). It is inside another form, so it is no form itself; without
// JavaScript it links to the page for new huts.

import { Link } from "@remix-run/react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { FieldErrors } from "~/components/ui/field";
import { isEnter } from "~/hooks/form/enter-key";
import { useCall } from "~/hooks/use-call";
import * as paths from "~/wire/paths";

type CreatedHut = { hut: { id: number; slug: string; title: string } };

export function NewHut({ onCreated }: { onCreated: (hut: CreatedHut["hut"]) => void }) {
  const id = useId();
  const nameInput = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [errors, setErrors] = useState<string[]>([]);
  const createCall = useCall<CreatedHut>({
    onDone: ({ hut }) => {
      setOpen(false);
      setErrors([]);
      onCreated(hut);
    },
    onError: (error) => {
      if (error.code !== "INVALID") return false;
      setErrors(error.body.fields.title ?? error.body.errors);
      nameInput.current?.focus();
      return true;
    },
  });
  const send = () =>
    void createCall.run(paths.createHut, { body: { hut: { title: nameInput.current?.value ?? "" } } });
  const handleKey = (event: KeyboardEvent) => {
    if (isEnter(event)) {
      event.preventDefault();
      send();
    } else if (event.key === "Escape") setOpen(false);
  };
  return (
    <div className="flex flex-col gap-2">
      <Button asChild variant="ghost" className="self-start">
        <Link
          to="/groups/create"
          aria-expanded={isOpen}
          onClick={(event) => {
            event.preventDefault();
            setOpen(!isOpen);
            if (!isOpen) requestAnimationFrame(() => nameInput.current?.focus());
          }}
        >
          <Icon name={isOpen ? "close" : "plus"} />
          {isOpen ? "Close" : "New hut"}
        </Link>
      </Button>
      {isOpen && (
        <div className="flex flex-col gap-2">
          <label htmlFor={id} className="font-semibold">
            Name of the hut
          </label>
          <input
            ref={nameInput}
            id={id}
            dir="auto"
            className="control"
            maxLength={100}
            autoComplete="off"
            aria-invalid={errors.length > 0 || undefined}
            aria-describedby={errors.length > 0 ? `${id}-error` : undefined}
            onKeyDown={handleKey}
          />
          <FieldErrors id={`${id}-error`} error={errors} />
          <Button className="self-start" isLoading={createCall.isBusy} onClick={send}>
            Create hut
          </Button>
        </div>
      )}
    </div>
  );
}
