// Who may join a session and what it costs them: the host's own business.
import { Checkbox } from "~/components/ui/choices";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { SESSION_LIMITS } from "~/domain/sessions";
import type { FormErrors } from "./session-form-rules";

type PeopleFieldsProps = {
  value: (name: string) => string;
  isOn: (name: string) => boolean;
  errors: FormErrors;
  participantsCount: number;
};

export function PeopleFields({ value, isOn, errors, participantsCount }: PeopleFieldsProps) {
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
        error={errors.participantLimit}
      >
        <TextInput
          name="participantLimit"
          inputMode="numeric"
          defaultValue={value("participantLimit")}
          className="max-w-40"
        />
      </Field>
      <Field
        label="Join code"
        hint="Only people who know it can join, and only participants can read the forum. Empty: everybody can."
        error={errors.joinCode}
      >
        <TextInput
          name="joinCode"
          defaultValue={value("joinCode")}
          maxLength={SESSION_LIMITS.joinCode}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <Checkbox
        name="isFree"
        label="Joining is free"
        hint="Each one who joins then costs one of your tokens instead of theirs. When you have none left, nobody can join."
        defaultChecked={isOn("isFree")}
      />
      <Field
        label="Donation link"
        hint="Participants see “Thank the Host (Donate)” and are led there."
        error={errors.donationLink}
      >
        <TextInput
          name="donationLink"
          type="url"
          inputMode="url"
          placeholder="https://"
          defaultValue={value("donationLink")}
        />
      </Field>
    </>
  );
}
