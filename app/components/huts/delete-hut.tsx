// Deletes a hut: it explains the consequences and asks for the hut's address.
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { TextRow } from "~/components/form/rows";
import { DangerFold } from "~/components/ui/danger-fold";
import { useActionForm } from "~/hooks/use-action-form";

export function DeleteHut({ slug, isPrivate }: { slug: string; isPrivate: boolean }) {
  const form = useActionForm({ intent: "delete", leaves: true });
  return (
    <DangerFold title="Delete this hut" isOpen={form.isFailed}>
      <ActionForm form={form} className="flex flex-col gap-4 border-t border-red px-4 py-4">
        <ul className="flex list-disc flex-col gap-1 ps-5">
          <li>Its forum and its list of members are deleted for good.</li>
          <li>Activities, sessions and items stay, without a hut.</li>
          {isPrivate && <li>They stay private: for their owners, and for the people of each session.</li>}
        </ul>
        <TextRow
          {...form.field("slug")}
          label={
            <>
              Type <span className="break-all">{slug}</span> to delete it
            </>
          }
          autoCapitalize="none"
          spellCheck={false}
        />
        <SubmitRow form={form} variant="danger">
          Delete this hut
        </SubmitRow>
      </ActionForm>
    </DangerFold>
  );
}
