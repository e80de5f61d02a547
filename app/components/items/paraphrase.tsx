// A paraphrase, and the form that creates or edits it (C-44, C-45).
import { useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { RichTextField } from "~/components/editor/rich-text-field";
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { TextRow } from "~/components/form/rows";
import { Card } from "~/components/ui/card";
import { EditToggle } from "~/components/ui/edit-toggle";
import { FoldedProse } from "~/components/ui/prose";
import { TextLink } from "~/components/ui/text-link";
import { Time } from "~/components/ui/time";
import type { Paraphrase } from "~/domain/items/items";
import { useActionForm } from "~/hooks/form/use-action-form";

export type ShownParaphrase = Omit<Paraphrase, "snippetId"> & { isOwner: boolean };

export function ParaphraseCard({
  paraphrase,
  snippetId,
}: {
  paraphrase: ShownParaphrase;
  snippetId: number;
}) {
  const [query] = useSearchParams();
  const [isEditing, setEditing] = useState(query.get("edit") === String(paraphrase.id));
  return (
    <Card as="li" className="flex flex-col gap-3">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          {paraphrase.title && <h3 className="text-lg wrap-anywhere">{paraphrase.title}</h3>}
          <p className="flex flex-wrap gap-x-3 text-sm text-soft">
            <TextLink to={`/${paraphrase.username}`}>{paraphrase.username}</TextLink>
            <Time at={paraphrase.createdAt} />
          </p>
        </div>
        {paraphrase.isOwner && (
          <EditToggle
            isOpen={isEditing}
            to={isEditing ? "?" : `?edit=${paraphrase.id}`}
            label={isEditing ? "Close the form" : "Edit your paraphrase"}
            onToggle={setEditing}
          />
        )}
      </div>
      {isEditing ? (
        <ParaphraseForm snippetId={snippetId} paraphrase={paraphrase} onDone={() => setEditing(false)} />
      ) : (
        <FoldedProse html={paraphrase.contentHtml} />
      )}
    </Card>
  );
}

type FormProps = {
  snippetId: number;
  paraphrase?: ShownParaphrase;
  onDone?: () => void;
};

export function ParaphraseForm({ snippetId, paraphrase, onDone }: FormProps) {
  const form = useActionForm({
    intent: paraphrase ? "paraphrase.update" : "paraphrase.create",
    hiddenFields: paraphrase ? { paraphrase: paraphrase.id } : {},
    draft: paraphrase ? `paraphrase ${paraphrase.id}` : `paraphrase of ${snippetId}`,
    clearsWhenDone: !paraphrase,
    ...(onDone ? { onDone } : {}),
  });
  return (
    <ActionForm
      form={form}
      className="flex flex-col gap-4"
      aria-label={paraphrase ? "Edit your paraphrase" : "New paraphrase"}
    >
      <TextRow
        {...form.field("title", paraphrase?.title)}
        label="Title"
        hint="This may be empty."
        maxLength={200}
      />
      <RichTextField
        {...form.field("content", paraphrase?.content)}
        label="In your own words"
        isRequired
        saved={paraphrase?.content ?? ""}
        isDrafted
        imageOwner="paraphrase"
      />
      <SubmitRow form={form} variant="primary">
        {paraphrase ? "Save" : "Create"}
      </SubmitRow>
    </ActionForm>
  );
}
