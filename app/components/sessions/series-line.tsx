// A session's series: its rule in words, and the viewer's standing seat (G-13).
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { Icon } from "~/components/pictures/icon";
import { StandingCode } from "~/components/series/standing-code";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { TextLink } from "~/components/ui/text-link";
import type { SeriesOfSession } from "~/domain/series/view";
import type { ShownSession } from "~/domain/sessions/view";
import { useActionForm } from "~/hooks/use-action-form";
import type { ActResult } from "~/wire/act";

type Props = {
  series: SeriesOfSession;
  session: Pick<ShownSession, "path" | "needsCode" | "isFree">;
  isSignedIn: boolean;
  /** The answer to a submit without JavaScript. */
  answered: ActResult | undefined;
};

export function SeriesLine({ series, session, isSignedIn, answered }: Props) {
  const { id, address, words, isStanding, codeUntil, isMine } = series;
  return (
    <div className="flex flex-col gap-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Icon name="repeat" />
        <span>{words}</span>
        <TextLink to={address}>See the series</TextLink>
      </p>
      {isSignedIn &&
        !isMine &&
        (isStanding ? (
          <>
            {codeUntil !== null && (
              <StandingCode series={id} until={codeUntil} action={session.path} answered={answered} />
            )}
            <EndForm series={id} path={session.path} answered={answered} />
          </>
        ) : (
          <TakeForm series={id} session={session} answered={answered} />
        ))}
    </div>
  );
}

function TakeForm({ series, session, answered }: { series: number } & Pick<Props, "session" | "answered">) {
  const form = useActionForm({
    intent: "standing.take",
    about: { series },
    action: session.path,
    posted: answered,
  });
  return (
    <ActionForm form={form} className="flex flex-col gap-3">
      {session.needsCode && (
        <Field label="Join Code" error={form.errorsOf("joinCode")} className="max-w-xs">
          <TextInput name="joinCode" autoComplete="off" autoCapitalize="none" />
        </Field>
      )}
      <FormErrors form={form} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" isLoading={form.isBusy}>
          Join every time
        </Button>
        <p className="text-sm text-soft">
          You get a seat in each new session, 28 days ahead.
          {session.isFree ? " The host pays." : " Each costs 1 token."}
        </p>
      </div>
    </ActionForm>
  );
}

function EndForm({ series, path, answered }: { series: number; path: string; answered: Props["answered"] }) {
  const form = useActionForm({ intent: "standing.end", about: { series }, action: path, posted: answered });
  return (
    <ActionForm form={form} className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="text-soft">You join every time.</p>
      <Button type="submit" variant="ghost" isLoading={form.isBusy}>
        Stop joining every time
      </Button>
      <FormErrors form={form} />
    </ActionForm>
  );
}
