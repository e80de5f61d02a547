// The actions on a chat line without JavaScript: a link to report it, and a form to edit or remove it.
import { MadeFor } from "~/components/form/made-for";
import { reportPath } from "~/components/safety/report-link";
import { Button } from "~/components/ui/button";
import { CHAT_LENGTH } from "~/domain/room/chat";
import { lineTarget } from "~/domain/safety/report-targets";
import type { ChatLine } from "~/hooks/room/client";

type Props = {
  line: ChatLine;
  sessionId: number;
  isMine: boolean;
  mayRemove: boolean;
  action: string;
};

export const PlainLineTools = ({ line, sessionId, isMine, mayRemove, action }: Props) => (
  <noscript>
    {!isMine && (
      <a
        href={reportPath(lineTarget(sessionId, line.seq ?? 0))}
        className="inline-block min-h-11 content-center text-sm"
      >
        Report this message
      </a>
    )}
    {mayRemove && <PlainLineForm line={line} isMine={isMine} action={action} />}
  </noscript>
);

const PlainLineForm = ({ line, isMine, action }: Pick<Props, "line" | "isMine" | "action">) => (
  <details>
    <summary className="min-h-11 content-center text-sm font-semibold">
      {isMine ? "Edit or remove this message" : "Remove this message"}
    </summary>
    <form method="post" action={action} className="flex flex-col gap-2">
      <MadeFor />
      <input type="hidden" name="seq" value={line.seq ?? 0} />
      {isMine && (
        <textarea
          dir="auto"
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
