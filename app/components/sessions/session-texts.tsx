// What a session is about: prompt, content, summary; edited while that is allowed, live for everybody.
import { type FormEvent, useState } from "react";
import { Section } from "~/components/layout/page";
import { Icon } from "~/components/pictures/icon";
import { useLive } from "~/components/room/live-context";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { TextArea, TextInput } from "~/components/ui/inputs";
import { ReadMore } from "~/components/ui/read-more";
import type { SessionMe, ShownSession } from "~/domain/session-view";
import { CLIENT_UUID } from "~/hooks/call-server";
import { useCall } from "~/hooks/use-call";
import { paths } from "~/wire/paths";

type SessionTextsProps = {
  session: Pick<ShownSession, "slug" | "path">;
  me: SessionMe;
  /** My turn, or a part that takes contributions from all. */
  mayContribute: boolean;
};

export function SessionTexts({ session, me, mayContribute }: SessionTextsProps) {
  const { room } = useLive();
  const [isEditing, setEditing] = useState(false);
  const mayEdit = me.mayEditContent || me.mayEditPrompt;
  const isEmpty = room.contentHtml === "" && room.prompt === "" && room.summary === "";
  if (isEmpty && !mayEdit && !mayContribute) return null;
  return (
    <Section
      title="About"
      actions={
        mayEdit && !isEditing ? (
          <Button variant="ghost" className="needs-script -me-4" onClick={() => setEditing(true)}>
            <Icon name="edit" />
            Edit
          </Button>
        ) : null
      }
    >
      {isEditing && mayEdit ? (
        <EditTexts session={session} me={me} onDone={() => setEditing(false)} />
      ) : (
        <>
          {isEmpty && <p className="text-soft">Nothing is said about it yet.</p>}
          {room.prompt && (
            <p className="max-w-[70ch] border-s-4 border-ember ps-4 font-medium whitespace-pre-line">
              {room.prompt}
            </p>
          )}
          {room.contentHtml && (
            <ReadMore>
              {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised when it was written. */}
              <div className="prose" dangerouslySetInnerHTML={{ __html: room.contentHtml }} />
            </ReadMore>
          )}
        </>
      )}
      {mayContribute && <Contribute session={session} />}
      <Summary session={session} mayAsk={me.isJoined} />
    </Section>
  );
}

function EditTexts({
  session,
  me,
  onDone,
}: {
  session: Pick<ShownSession, "slug">;
  me: SessionMe;
  onDone: () => void;
}) {
  const { room } = useLive();
  const save = useCall(paths.saveContent, { success: "Success!", onDone });
  const [title, setTitle] = useState(room.title);
  const [content, setContent] = useState(room.content);
  const [prompt, setPrompt] = useState(room.prompt);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save.run({
      params: { challenge: session.slug },
      body: {
        ...(me.mayEditContent ? { title, content } : {}),
        ...(me.mayEditPrompt ? { prompt } : {}),
        client_uuid: CLIENT_UUID,
      },
    });
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      {me.mayEditContent && (
        <>
          <Field label="Title" isRequired>
            <TextInput value={title} maxLength={200} onChange={(event) => setTitle(event.target.value)} />
          </Field>
          <Field label="Content" hint="Markdown is fine.">
            <TextArea rows={8} value={content} onChange={(event) => setContent(event.target.value)} />
          </Field>
        </>
      )}
      {me.mayEditPrompt && (
        <Field label="Prompt">
          <TextArea rows={2} value={prompt} onChange={(event) => setPrompt(event.target.value)} />
        </Field>
      )}
      <div className="flex gap-3">
        <Button type="submit" variant="primary" isLoading={save.isBusy}>
          Save for everybody
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}

function Contribute({ session }: { session: Pick<ShownSession, "slug"> }) {
  const [text, setText] = useState("");
  const give = useCall(paths.contributeContent, { success: "Success!", onDone: () => setText("") });
  return (
    <form
      className="flex flex-col gap-3 rounded-lg border border-ember bg-ember-wash p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "")
          void give.run({ params: { challenge: session.slug }, body: { contribution: text } });
      }}
    >
      <Field label="Your contribution" hint="It is added to the end of the content, for everybody.">
        <TextArea rows={3} value={text} required onChange={(event) => setText(event.target.value)} />
      </Field>
      <Button type="submit" variant="primary" className="self-start" isLoading={give.isBusy}>
        Add it
      </Button>
    </form>
  );
}

const words = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
/** A short content is its own summary: said once. Pure. */
export const saysMore = (summary: string, content: string): boolean =>
  summary !== "" && !words(content).startsWith(words(summary).slice(0, 200));

function Summary({ session, mayAsk }: { session: Pick<ShownSession, "slug">; mayAsk: boolean }) {
  const { room } = useLive();
  const [made, setMade] = useState<string | null>(null);
  const make = useCall<{ data?: string } | string>(paths.makeSummary, {
    onDone: (answer) => setMade(typeof answer === "string" ? answer : (answer.data ?? null)),
  });
  const summary = saysMore(room.summary, room.content) ? room.summary : made;
  if (!summary && !mayAsk) return null;
  return (
    <div className="flex flex-col gap-2">
      {summary && (
        <div className="max-w-[70ch] rounded-md bg-sunken p-4" aria-live="polite">
          <p className="text-sm font-semibold text-soft">Summary</p>
          <p className="whitespace-pre-line">{summary}</p>
        </div>
      )}
      {mayAsk && (
        <Button
          variant="ghost"
          className="needs-script -ms-4 self-start"
          isLoading={make.isBusy}
          onClick={() => void make.run({ params: { challenge: session.slug } })}
        >
          <Icon name="sparkles" />
          {summary ? "Summarise again" : "Summarise"}
        </Button>
      )}
    </div>
  );
}
