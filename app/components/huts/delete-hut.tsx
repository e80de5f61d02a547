// Deletes a hut: it explains the consequences and asks for the hut's address.
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { TextRow } from "~/components/form/rows";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { useActionForm } from "~/hooks/use-action-form";

export function DeleteHut({ slug, isPrivate }: { slug: string; isPrivate: boolean }) {
  const form = useActionForm({ intent: "delete", leaves: true });
  return (
    <details open={form.isFailed} className="group rounded-md border border-red bg-raised open:bg-red-wash">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 px-4 py-2 font-semibold text-red marker:content-none">
        <Icon name="right" className="transition-transform group-open:rotate-90" />
        Delete this hut
      </summary>
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
        <FormErrors form={form} />
        <Button type="submit" variant="danger" isLoading={form.isBusy} className="self-start">
          Delete this hut
        </Button>
      </ActionForm>
    </details>
  );
}
