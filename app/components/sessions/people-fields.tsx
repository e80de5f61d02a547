// The host's settings for joining and its price (A-09).
import { TextRow } from "~/components/form/rows";
import { Checkbox } from "~/components/ui/choices";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { SESSION_LIMITS } from "~/domain/sessions/limits";

type PeopleFieldsProps = {
  field: (name: string) => { name: string; defaultValue: string; error: string[] };
  participantsCount: number;
  waitersCount: number;
};

export function PeopleFields({ field, participantsCount, waitersCount }: PeopleFieldsProps) {
  const limit = field("participantLimit");
  return (
    <>
      <input type="hidden" name="hasPeople" value="1" />
      <Field
        label="Participant limit"
        hint={
          participantsCount > 1
            ? `Empty: no limit. ${participantsCount} have joined already.`
            : "Empty: no limit. You take one spot yourself."
        }
        error={limit.error}
      >
        <TextInput
          name={limit.name}
          defaultValue={limit.defaultValue}
          inputMode="numeric"
          className="max-w-40"
        />
      </Field>
      <TextRow
        {...field("joinCode")}
        label="Join code"
        hint="Only people who know it can join, and only participants can read the forum. Empty: everybody can."
        maxLength={SESSION_LIMITS.joinCode}
        autoCapitalize="none"
        spellCheck={false}
      />
      {waitersCount > 0 && (
        <Checkbox
          name="keepsWaiting"
          label="Keep the waiting list with another code"
          hint={`${waitersCount === 1 ? "1 person waits" : `${waitersCount} people wait`}. Otherwise a new code empties the list, and they read why.`}
          defaultChecked={field("keepsWaiting").defaultValue !== ""}
        />
      )}
      <Checkbox
        name="isFree"
        label="Joining is free"
        hint="You then pay one token for each person who joins. When you run out of tokens, nobody can join."
        defaultChecked={field("isFree").defaultValue !== ""}
      />
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
    </>
  );
}
