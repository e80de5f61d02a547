// The host's settings for joining and its price (A-09).
import { NumberField } from "~/components/form/number-field";
import { TextRow } from "~/components/form/rows";
import { Checkbox } from "~/components/ui/choices";
import { SESSION_LIMITS } from "~/domain/sessions/limits";

type JoiningFieldsProps = {
  field: (name: string) => { name: string; defaultValue: string; error: string[] };
  participantsCount: number;
  waitersCount: number;
};

export function JoiningFields({ field, participantsCount, waitersCount }: JoiningFieldsProps) {
  return (
    <>
      <input type="hidden" name="hasPeople" value="1" />
      <NumberField
        {...field("participantLimit")}
        label="Participant limit"
        isWhole
        hint={
          participantsCount > 1
            ? `Empty: no limit. ${participantsCount} have joined already.`
            : "Empty: no limit."
        }
        className="col-span-3 sm:col-span-1"
      />
      <TextRow
        {...field("joinCode")}
        label="Join code"
        className="col-span-3 sm:col-span-1"
        hint="Empty: open to all."
        maxLength={SESSION_LIMITS.joinCode}
        autoCapitalize="none"
        spellCheck={false}
      />
      <Checkbox
        name="isFree"
        label="Joining is free"
        className="col-span-3 sm:col-span-1 sm:pt-7.5"
        hint="You pay for each."
        defaultChecked={field("isFree").defaultValue !== ""}
      />
      {waitersCount > 0 && (
        <Checkbox
          name="keepsWaiting"
          label="Ask nobody who waits for another code"
          hint={`${waitersCount === 1 ? "1 person waits" : `${waitersCount} people wait`}. Otherwise they are asked for a new code, and get no seat without it.`}
          defaultChecked={field("keepsWaiting").defaultValue !== ""}
          className="col-span-full"
        />
      )}
    </>
  );
}
