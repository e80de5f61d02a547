// The form that removes a person from a session, with their messages, in the dialogs of a participant and of a chat line
//
import { useState } from "react";
import { Button } from "~/components/ui/button";
import { Checkbox } from "~/components/ui/choices";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { nameForActs } from "~/domain/room/aliases";
import { type NamedPerson, nameOfSeat } from "~/domain/room/guest-names";
import { REASON_LENGTH } from "~/domain/safety/sanctions";
import { useLive } from "./live-context";
import { removeWithUndo } from "./remove-with-undo";

/** The room sends this many lines at first; a person may have written earlier ones. */
const LINES_SENT = 50;

/** "3 messages"; "their messages" where the page may lack some; empty for none. Pure. */
function messagesOf(username: string, lines: readonly { username: string; isRemoved: boolean }[]): string {
  const count = lines.filter((line) => line.username === username && !line.isRemoved).length;
  if (lines.length >= LINES_SENT) return "their messages";
  return count === 0 ? "" : `${count} ${count === 1 ? "message" : "messages"}`;
}

type Props = {
  sessionId: number;
  person: NamedPerson & { handle?: string | null };
  isMuted: boolean;
  onDone: () => void;
};

export function RemovalForm({ sessionId, person, isMuted, onDone }: Props) {
  const { username } = person;
  const messages = messagesOf(username, useLive("messages"));
  const [isBanned, setBanned] = useState(true);
  const [withLines, setWithLines] = useState(messages !== "");
  const [reason, setReason] = useState("");
  const removedText = [nameOfSeat(person), ...(withLines && messages !== "" ? [messages] : [])].join(" and ");
  return (
    <form
      className="flex flex-col gap-2 text-start"
      onSubmit={(event) => {
        event.preventDefault();
        onDone();
        removeWithUndo({
          session: sessionId,
          username,
          nameForActs: nameForActs(person),
          isMuted,
          isBanned,
          withLines,
          reason,
          sentence: `Removed ${removedText}.`,
        });
      }}
    >
      <Checkbox
        label="Keep out: they cannot join again"
        checked={isBanned}
        onChange={(event) => setBanned(event.target.checked)}
      />
      {messages !== "" && (
        <Checkbox
          label={`Remove ${messages}`}
          checked={withLines}
          onChange={(event) => setWithLines(event.target.checked)}
        />
      )}
      {isBanned && (
        <Field label="Reason, which they read">
          <TextInput
            value={reason}
            maxLength={REASON_LENGTH}
            autoComplete="off"
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
      )}
      <Button type="submit" variant="danger" className="mt-2 self-end">
        Remove {removedText}
      </Button>
    </form>
  );
}
