// Two-step sign-in on the security page: off, waiting for its first code, or on.
import { useState } from "react";
import { ActionForm, SubmitRow } from "~/components/form/action-form";
import { CopyButton } from "~/components/ui/copy-button";
import { Notice, Warning } from "~/components/ui/notice";
import { QrCode } from "~/components/ui/qr-code";
import { Time } from "~/components/ui/time";
import { codeRules } from "~/domain/accounts/rules";
import { TWO_STEP_UNAVAILABLE } from "~/domain/accounts/sign-in";
import { useActionForm } from "~/hooks/form/use-action-form";
import { usePosted } from "~/hooks/form/use-posted";
import { toast } from "~/hooks/toasts";
import { CodeRow } from "./second-step-form";

type SetUp = { key: string; uri: string; qr: { size: number; path: string } };
type Props = {
  twoStepSince: number | null;
  recoveryCodes: number;
  isAvailable: boolean;
  setUp: SetUp | null;
};
type OnCodes = (result: unknown, sentence: string | null) => void;

/** The recovery codes in an answer. The server sends them only once. */
const codesIn = (result: unknown): readonly string[] | null =>
  (result as { codes?: string[] } | null | undefined)?.codes ?? null;

export function TwoStepSection({ twoStepSince, recoveryCodes, isAvailable, setUp }: Props) {
  const posted = usePosted();
  const [newCodes, setNewCodes] = useState<readonly string[] | null>(null);
  const codes = newCodes ?? (posted?.ok ? codesIn(posted.result) : null);
  const onSuccess: OnCodes = (result, sentence) => {
    setNewCodes(codesIn(result));
    if (sentence) toast.success(sentence);
  };
  return (
    <>
      {codes && twoStepSince !== null && <RecoveryCodes codes={codes} />}
      {twoStepSince !== null ? (
        <TwoStepOn since={twoStepSince} codesLeft={recoveryCodes} onSuccess={onSuccess} />
      ) : setUp ? (
        <FirstCodeForm setUp={setUp} onSuccess={onSuccess} />
      ) : (
        <TurnOnForm isAvailable={isAvailable} />
      )}
    </>
  );
}

function TurnOnForm({ isAvailable }: { isAvailable: boolean }) {
  const form = useActionForm({ intent: "two-step.begin" });
  if (!isAvailable) return <Warning title={TWO_STEP_UNAVAILABLE} />;
  return (
    <ActionForm form={form} className="flex flex-col gap-4">
      <p>
        After your password we then ask for a code that only your phone knows. A stolen password alone opens
        nothing.
      </p>
      <SubmitRow form={form} variant="primary">
        Turn on two-step sign-in
      </SubmitRow>
    </ActionForm>
  );
}

function FirstCodeForm({ setUp: { key, uri, qr }, onSuccess }: { setUp: SetUp; onSuccess: OnCodes }) {
  const form = useActionForm({ intent: "two-step.confirm", rules: codeRules, onSuccess });
  return (
    <ActionForm form={form} className="flex flex-col gap-4">
      <ol className="flex list-decimal flex-col gap-4 ps-5">
        <li>
          <p>
            Scan this with an authenticator app, or{" "}
            <a href={uri} className="underline underline-offset-4">
              open it on this device
            </a>
            .
          </p>
          <QrCode qr={qr} label="QR code of the key" />
          <p className="mt-2">Or type this key into it:</p>
          <p className="flex flex-wrap items-center gap-2">
            <code className="wrap-anywhere rounded-md bg-sunken px-2 py-1">{key}</code>
            <CopyButton text={key.replaceAll(" ", "")} label="Copy key" />
          </p>
        </li>
        <li>
          <p className="mb-2">Type the code that it shows.</p>
          <CodeRow field={form.field("code")} />
        </li>
      </ol>
      <SubmitRow form={form} variant="primary">
        Turn on
      </SubmitRow>
    </ActionForm>
  );
}

type TwoStepOnProps = { since: number; codesLeft: number; onSuccess: OnCodes };

function TwoStepOn({ since, codesLeft, onSuccess }: TwoStepOnProps) {
  const renewForm = useActionForm({ intent: "two-step.codes", onSuccess });
  const turnOffForm = useActionForm({ intent: "two-step.off", onSuccess });
  return (
    <>
      <Notice tone="success" title="Two-step sign-in is on.">
        Since <Time at={since} look="date" />.
      </Notice>
      <div className="flex flex-col gap-3">
        <p>
          You have <strong>{codesLeft}</strong> recovery {codesLeft === 1 ? "code" : "codes"} left. Each signs
          you in once when you are without your phone.
        </p>
        <ActionForm form={renewForm} className="flex flex-col gap-3">
          <SubmitRow form={renewForm}>Create new codes</SubmitRow>
        </ActionForm>
      </div>
      <ActionForm form={turnOffForm} className="flex flex-col gap-3">
        <SubmitRow form={turnOffForm} variant="danger">
          Turn off two-step sign-in
        </SubmitRow>
      </ActionForm>
    </>
  );
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <Notice tone="warning" title="Keep these recovery codes where only you find them." isLive>
      <p>You will not see them again. Each works once, in place of a code of your app.</p>
      <ul aria-label="Recovery codes" className="my-3 grid gap-x-6 gap-y-1 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyButton text={codes.join("\n")} label="Copy codes" />
    </Notice>
  );
}
