// The menu of a chat line as a dialog.
import { useId, useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { CHAT_LENGTH, isLineEditable } from "~/domain/room/chat";
import { nameAmong } from "~/domain/room/guest-names";
import { lineTarget } from "~/domain/safety/report-targets";
import { openModal } from "~/hooks/modal-store";
import type { ChatLine } from "~/hooks/room/client";
import { useCall } from "~/hooks/use-call";
import { useNow } from "~/hooks/use-now";
import * as paths from "~/wire/paths";
import type { LiveRoom } from "~/wire/room/live-room";
import { useLive } from "./live-context";
import { RemovalForm } from "./removal-form";

type DialogProps = {
  line: ChatLine | null;
  sessionId: number;
  isMine: boolean;
  mayRemove: boolean;
  /** Whether the viewer may remove the author from the session. */
  canHost: boolean;
  onClose: () => void;
};

export function LineDialog({ line, ...rest }: DialogProps) {
  return line?.seq == null ? null : <OpenDialog key={line.key} line={line} seq={line.seq} {...rest} />;
}

function OpenDialog(props: DialogProps & { line: ChatLine; seq: number }) {
  const { line, seq, sessionId, isMine, mayRemove, canHost, onClose } = props;
  const room = useLive("room");
  const removablePerson = canHost && !isMine ? removablePersonIn(room, line.username) : null;
  const name = nameAmong(room.participants, line.username);
  const id = useId();
  const now = useNow();
  const [text, setText] = useState(line.content);
  const params = { event: sessionId, seq };
  const edit = useCall({ onDone: onClose });
  const remove = useCall({ onDone: onClose });
  const mayEdit = isMine && isLineEditable(line, now);
  return (
    <Dialog
      isOpen
      width="sm"
      title={isMine ? "Your message" : `Message of ${name}`}
      onClose={onClose}
      footer={
        <>
          {!isMine && (
            <Button
              onClick={() => {
                onClose();
                openModal({ name: "report", target: lineTarget(sessionId, seq), author: name });
              }}
            >
              <Icon name="flag" />
              Report
            </Button>
          )}
          {mayRemove && (
            <Button
              variant={mayEdit || removablePerson ? "quiet" : "danger"}
              isLoading={remove.isBusy}
              onClick={() => void remove.run(paths.deleteMessage, { params })}
            >
              <Icon name="delete" />
              {isMine ? "Remove" : "Remove this message"}
            </Button>
          )}
          {mayEdit && (
            <Button type="submit" form={id} variant="primary" isLoading={edit.isBusy}>
              Save
            </Button>
          )}
        </>
      }
    >
      {mayEdit ? (
        <form
          id={id}
          onSubmit={(event) => {
            event.preventDefault();
            void edit.run(paths.editMessage, { params, body: { content: text } });
          }}
        >
          <textarea
            dir="auto"
            aria-label="New text"
            className="control block w-full"
            rows={3}
            required
            maxLength={CHAT_LENGTH}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </form>
      ) : (
        <p className="break-words whitespace-pre-wrap">{line.content}</p>
      )}
      {removablePerson && (
        <div className="mt-4 border-t border-line pt-3">
          <RemovalForm
            sessionId={sessionId}
            person={removablePerson}
            isMuted={removablePerson.isMuted}
            onDone={onClose}
          />
        </div>
      )}
    </Dialog>
  );
}

/** The person of this name, if they have a seat and are not the host. */
function removablePersonIn({ participants, mutes }: LiveRoom, username: string) {
  const person = participants.find((participant) => participant.username === username);
  return person && !person.isHost
    ? { ...person, isMuted: mutes.some((mute) => mute.username === username) }
    : null;
}
