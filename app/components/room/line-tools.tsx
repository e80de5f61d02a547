// The menu of a chat line: a dialog, and plain forms before JavaScript has loaded.
import { useId, useState } from "react";
import { Icon } from "~/components/pictures/icon";
import { reportPath } from "~/components/safety/report-link";
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { CHAT_LENGTH, isLineEditable } from "~/domain/chat";
import { messageTarget, type ReportTarget } from "~/domain/report-targets";
import { openModal } from "~/hooks/modal-store";
import type { ChatLine } from "~/hooks/room-client";
import { useCall } from "~/hooks/use-call";
import { useNow } from "~/hooks/use-now";

type DialogProps = {
  line: ChatLine | null;
  session: number;
  isMine: boolean;
  mayRemove: boolean;
  onClose: () => void;
};

const targetOf = (session: number, { seq }: ChatLine): ReportTarget => ({
  kind: "message",
  id: messageTarget(session, seq ?? 0),
});

export function LineDialog({ line, ...rest }: DialogProps) {
  return line?.seq == null ? null : <OpenDialog key={line.key} line={line} seq={line.seq} {...rest} />;
}

function OpenDialog(props: DialogProps & { line: ChatLine; seq: number }) {
  const { line, seq, session, isMine, mayRemove, onClose } = props;
  const id = useId();
  const now = useNow();
  const [text, setText] = useState(line.content);
  const params = { event: session, seq };
  const edit = useCall({ onDone: onClose });
  const remove = useCall({ onDone: onClose });
  const mayEdit = isMine && isLineEditable(line, now);
  return (
    <Dialog
      isOpen
      width="sm"
      title={isMine ? "Your message" : `Message of ${line.username}`}
      onClose={onClose}
      footer={
        <>
          {!isMine && (
            <Button
              onClick={() => {
                onClose();
                openModal({ name: "report", target: targetOf(session, line), author: line.username });
              }}
            >
              <Icon name="flag" />
              Report
            </Button>
          )}
          {mayRemove && (
            <Button
              variant={mayEdit ? "quiet" : "danger"}
              isLoading={remove.isBusy}
              onClick={() => void remove.run("deleteMessage", { params })}
            >
              <Icon name="delete" />
              Remove
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
            void edit.run("editMessage", { params, body: { content: text } });
          }}
        >
          <textarea
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
    </Dialog>
  );
}

type PlainProps = {
  line: ChatLine;
  session: number;
  isMine: boolean;
  mayRemove: boolean;
  action: string;
};

export const PlainTools = ({ line, session, isMine, mayRemove, action }: PlainProps) => (
  <noscript>
    {!isMine && (
      <a href={reportPath(targetOf(session, line))} className="inline-block min-h-11 content-center text-sm">
        Report this message
      </a>
    )}
    {mayRemove && <PlainForms line={line} isMine={isMine} action={action} />}
  </noscript>
);

const PlainForms = ({ line, isMine, action }: Pick<PlainProps, "line" | "isMine" | "action">) => (
  <details>
    <summary className="min-h-11 content-center text-sm font-semibold">Change this message</summary>
    <form method="post" action={action} className="flex flex-col gap-2">
      <input type="hidden" name="seq" value={line.seq ?? 0} />
      {isMine && (
        <textarea
          name="content"
          aria-label="New text"
          className="control block w-full"
          required
          maxLength={CHAT_LENGTH}
          defaultValue={line.content}
        />
      )}
      <div className="flex flex-wrap gap-2">
        {isMine && (
          <Button type="submit" name="intent" value="line.edit">
            Save
          </Button>
        )}
        <Button type="submit" name="intent" value="line.remove" variant="danger">
          Remove
        </Button>
      </div>
    </form>
  </details>
);
