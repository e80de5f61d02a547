// The form that deletes a hut. It explains the consequences and requires the hut's address.
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { TextRow } from "~/components/form/rows";
import { DangerFold } from "~/components/ui/danger-fold";
import type { HutEndings } from "~/domain/huts/huts";
import { useActionForm } from "~/hooks/form/use-action-form";
import { countNoun } from "./count-noun";

type DeleteHutProps = { slug: string; isPrivate: boolean; endings: HutEndings };

export function DeleteHut({ slug, isPrivate, endings }: DeleteHutProps) {
  const form = useActionForm({ intent: "delete", redirects: true });
  return (
    <DangerFold title="Delete this hut" isOpen={form.isFailed}>
      <ActionForm form={form} className="flex flex-col gap-4 border-t border-red px-4 py-4">
        <ul className="flex list-disc flex-col gap-1 ps-5">
          <li>Its forum and its list of members are deleted for good.</li>
          {isPrivate && (
            <>
              <li>
                {countNoun(endings.series, "series ends", "series end")}, and{" "}
                {countNoun(
                  endings.ahead,
                  "session that has not begun is",
                  "sessions that have not begun are",
                )}{" "}
                cancelled: the tokens are returned.
              </li>
              {endings.running > 0 && (
                <li>
                  {countNoun(endings.running, "running session goes", "running sessions go")} on to the end,
                  for the people with a seat.
                </li>
              )}
            </>
          )}
          <li>Activities, {isPrivate ? "ended sessions" : "sessions"} and items stay, without a hut.</li>
          {isPrivate && (
            <li>
              They stay private: for their owners, the followers of an activity, and the people of each
              session.
            </li>
          )}
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
