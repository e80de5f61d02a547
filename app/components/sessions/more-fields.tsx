// The fields of the session form that most hosts leave as they are (Y-02).

import { RichTextField } from "~/components/editor/rich-text-field";
import { GuestFields } from "~/components/form/guest-fields";
import { SelectRow, TextAreaRow, TextRow } from "~/components/form/rows";
import { Checkbox } from "~/components/ui/choices";
import { DIFFICULTIES } from "~/domain/list-terms";
import { SESSION_LIMITS } from "~/domain/sessions/limits";
import type { SessionForm } from "~/domain/sessions/view";

export const MORE_FIELDS = [
  "content",
  "prompt",
  "promptBook",
  "activitySlug",
  "hutId",
  "category",
  "difficulty",
  "isPrivate",
  "needsHost",
  "meetingLink",
  "donationLink",
  "guestLimit",
];

type MoreFieldsProps = {
  data: SessionForm;
  field: (name: string) => { name: string; defaultValue: string; error: string[] };
};

export function MoreFields({ data, field }: MoreFieldsProps) {
  const isNew = data.id === null;
  return (
    <>
      {data.mayEditTexts && (
        <>
          <RichTextField
            {...field("content")}
            label="Content"
            hint="What it is about. Markdown is fine."
            saved={data.values.content}
            imageOwner="session"
            loadsOnFocus
          />
          <TextAreaRow
            {...field("prompt")}
            label="Prompt"
            hint="What participants should do or write in this session."
            rows={2}
            maxLength={SESSION_LIMITS.prompt}
          />
        </>
      )}
      {isNew && data.books.length > 0 && (
        <SelectRow
          {...field("promptBook")}
          label="Or the next passage of"
          hint="It becomes the prompt. Each session of a series takes the following one."
          placeholder="No book"
          options={data.books.map(({ slug, title }) => ({ value: slug, label: title }))}
        />
      )}
      {isNew && (
        <SelectRow
          {...field("activitySlug")}
          label="Activity"
          hint="The session is one run of it."
          placeholder="None"
          options={data.activities.map(({ slug, title }) => ({ value: slug, label: title }))}
        />
      )}
      <div className="grid gap-4 sm:grid-cols-3">
        {(isNew || data.canHost) && (
          <SelectRow
            {...field("hutId")}
            label="Hut"
            placeholder="None"
            options={data.huts.map(({ id: hutId, title }) => ({ value: hutId, label: title }))}
          />
        )}
        <SelectRow
          {...field("category")}
          label="Category"
          placeholder="None"
          options={data.categories.map(({ slug, title }) => ({ value: slug, label: title }))}
        />
        <SelectRow
          {...field("difficulty")}
          label="Difficulty"
          options={DIFFICULTIES.map(({ value, title }) => ({ value, label: title }))}
        />
      </div>
      {(isNew || data.canHost) && data.values.isPrivate && (
        <>
          <input type="hidden" name="hasPrivacy" value="1" />
          <Checkbox
            name="isPrivate"
            label="Private"
            hint="Only people with a seat see it. A hut that you choose decides instead."
            defaultChecked={field("isPrivate").defaultValue !== ""}
          />
        </>
      )}
      {(isNew || data.canHost) && (
        <>
          <Checkbox
            name="needsHost"
            label="A host must come"
            hint="If neither you nor an admin is here 15 minutes after the start, the session is cancelled and everybody gets their token back."
            defaultChecked={field("needsHost").defaultValue !== ""}
          />
          <TextRow
            {...field("meetingLink")}
            label="Meeting link"
            hint="For a video call. Only participants see it, from 30 minutes before the start until the end."
            type="url"
            inputMode="url"
            maxLength={SESSION_LIMITS.meetingLink}
            placeholder="https://"
          />
          <TextRow
            {...field("donationLink")}
            label="Donation link"
            hint="Participants see “Thank the Host (Donate)” with this link."
            type="url"
            inputMode="url"
            placeholder="https://"
          />
          <GuestFields field={field} />
        </>
      )}
    </>
  );
}
