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
import { useActionForm } from "~/hooks/form/use-action-form";
import type { ActResult } from "~/wire/act";

type Props = {
  series: SeriesOfSession;
  session: Pick<ShownSession, "path" | "needsCode" | "isFree">;
  isSignedIn: boolean;
  /** The answer to a submit without JavaScript. */
  posted: ActResult | undefined;
};

export function SeriesLine({ series, session, isSignedIn, posted }: Props) {
  const { id, address, ruleText, isStanding, codeExpiresAt, isMine } = series;
  return (
    <div className="flex flex-col gap-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Icon name="repeat" />
        <span>{ruleText}</span>
        <TextLink to={address}>See the series</TextLink>
      </p>
      {isSignedIn &&
        !isMine &&
        (isStanding ? (
          <>
            {codeExpiresAt !== null && (
              <StandingCode seriesId={id} until={codeExpiresAt} action={session.path} posted={posted} />
            )}
            <GiveUpSeatForm seriesId={id} path={session.path} posted={posted} />
          </>
        ) : (
          <TakeSeatForm seriesId={id} session={session} posted={posted} />
        ))}
    </div>
  );
}

function TakeSeatForm({
  seriesId,
  session,
  posted,
}: { seriesId: number } & Pick<Props, "session" | "posted">) {
  const form = useActionForm({
    intent: "standing.take",
    hiddenFields: { series: seriesId },
    action: session.path,
    posted,
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

function GiveUpSeatForm({
  seriesId,
  path,
  posted,
}: {
  seriesId: number;
  path: string;
  posted: Props["posted"];
}) {
  const form = useActionForm({
    intent: "standing.end",
    hiddenFields: { series: seriesId },
    action: path,
    posted,
  });
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
