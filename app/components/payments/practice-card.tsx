// The practice provider's card form: number, date, code, and a confirmation if the card requires it.
import { forwardRef, useImperativeHandle, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { CallError, callServer } from "~/hooks/call-server";
import * as paths from "~/wire/paths";
import { type CardHandle, CardProblem, type PaidIntent } from "./card";

type ConfirmAnswer = Record<
  "payment_intent" | "setup_intent",
  { id: string; status: string; payment_method: string } | undefined
>;

const digitsOf = (text: string) => text.replace(/\D/g, "");
const formatCardNumber = (text: string) =>
  digitsOf(text)
    .slice(0, 19)
    .replace(/(\d{4})(?=\d)/g, "$1 ");
const formatExpiry = (text: string) => {
  const typed = digitsOf(text).slice(0, 4);
  return typed.length > 2 ? `${typed.slice(0, 2)} / ${typed.slice(2)}` : typed;
};

async function confirmIntent(body: object): Promise<PaidIntent> {
  try {
    const answer = await callServer<ConfirmAnswer>(paths.confirmPractice, { body });
    const intent = answer.payment_intent ?? answer.setup_intent;
    if (!intent) throw new CardProblem("The practice provider did not name a payment.");
    return { id: intent.id, status: intent.status, method: intent.payment_method };
  } catch (error) {
    if (error instanceof CallError) throw new CardProblem(error.body.fields.card?.[0] ?? error.message);
    throw error;
  }
}

type BankQuestion = { answer: (isConfirmed: boolean) => void };

export const PracticeCard = forwardRef<CardHandle, { error?: string | null }>(function PracticeCard(
  { error },
  ref,
) {
  // Read from the DOM, so that input before hydration counts.
  const number = useRef<HTMLInputElement>(null);
  const expiry = useRef<HTMLInputElement>(null);
  const cvc = useRef<HTMLInputElement>(null);
  const [bankQuestion, setBankQuestion] = useState<BankQuestion | null>(null);
  const readFields = () => ({
    number: number.current?.value ?? "",
    expiry: expiry.current?.value ?? "",
    cvc: cvc.current?.value ?? "",
  });

  useImperativeHandle(ref, () => ({
    isComplete() {
      const typed = readFields();
      return (
        digitsOf(typed.number).length >= 12 &&
        digitsOf(typed.expiry).length >= 3 &&
        digitsOf(typed.cvc).length >= 3
      );
    },
    async confirm({ clientSecret, savesCard }) {
      const typed = readFields();
      const [month = "", year = ""] = typed.expiry.split("/");
      const card = {
        number: typed.number,
        exp_month: Number(digitsOf(month)),
        exp_year: Number(digitsOf(year)),
        cvc: typed.cvc,
      };
      const attempt = await confirmIntent({ client_secret: clientSecret, card, save: savesCard });
      if (attempt.status !== "requires_action") return attempt;
      const isConfirmed = await new Promise<boolean>((answer) => setBankQuestion({ answer }));
      setBankQuestion(null);
      if (!isConfirmed)
        throw new CardProblem(
          "We are unable to authenticate your payment method. Please choose a different one and try again.",
        );
      return confirmIntent({ client_secret: clientSecret, card, save: savesCard, confirmed: true });
    },
  }));

  return (
    <div className="flex flex-col gap-3">
      <Field label="Card number" error={error}>
        <TextInput
          inputMode="numeric"
          autoComplete="cc-number"
          placeholder="4242 4242 4242 4242"
          ref={number}
          maxLength={23}
          onInput={(event) => {
            event.currentTarget.value = formatCardNumber(event.currentTarget.value);
          }}
        />
      </Field>
      <div className="field-grid grid-cols-2 gap-3">
        <Field label="Expires" hint="MM / YY">
          <TextInput
            inputMode="numeric"
            autoComplete="cc-exp"
            placeholder="12 / 30"
            ref={expiry}
            maxLength={7}
            onInput={(event) => {
              event.currentTarget.value = formatExpiry(event.currentTarget.value);
            }}
          />
        </Field>
        <Field label="Security code">
          <TextInput
            inputMode="numeric"
            autoComplete="cc-csc"
            placeholder="123"
            ref={cvc}
            maxLength={4}
            onInput={(event) => {
              event.currentTarget.value = digitsOf(event.currentTarget.value);
            }}
          />
        </Field>
      </div>
      {bankQuestion && <BankDialog onAnswer={bankQuestion.answer} />}
    </div>
  );
});

const BankDialog = ({ onAnswer }: { onAnswer: BankQuestion["answer"] }) => (
  <Dialog title="A question from your practice bank" onClose={() => onAnswer(false)} width="sm">
    <p>Did you just use this card?</p>
    <div className="flex justify-end gap-3">
      <Button onClick={() => onAnswer(false)}>No, cancel</Button>
      <Button variant="primary" onClick={() => onAnswer(true)}>
        Yes, confirm
      </Button>
    </div>
  </Dialog>
);
