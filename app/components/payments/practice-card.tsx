// The practice provider's card form: number, date, code; and the question of a card that asks.
import { forwardRef, useImperativeHandle, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { CallError, callServer } from "~/hooks/call-server";
import { paths } from "~/wire/paths";
import { type CardHandle, CardProblem, type PaidIntent } from "./card";

type Confirmed = Record<
  "payment_intent" | "setup_intent",
  { id: string; status: string; payment_method: string } | undefined
>;

export const PracticeCard = forwardRef<CardHandle, { error?: string | null }>(function PracticeCard(
  { error },
  ref,
) {
  const [number, setNumber] = useState("");
  const [date, setDate] = useState("");
  const [cvc, setCvc] = useState("");
  const [question, setQuestion] = useState<((yes: boolean) => void) | null>(null);
  const typed = useRef({ number, date, cvc });
  typed.current = { number, date, cvc };

  useImperativeHandle(ref, () => ({
    isComplete: () =>
      digits(typed.current.number).length >= 12 &&
      digits(typed.current.date).length >= 3 &&
      digits(typed.current.cvc).length >= 3,
    async confirm(clientSecret, _type, save) {
      const [month = "", year = ""] = typed.current.date.split("/");
      const card = {
        number: typed.current.number,
        exp_month: Number(digits(month)),
        exp_year: Number(digits(year)),
        cvc: typed.current.cvc,
      };
      const first = await practise({ client_secret: clientSecret, card, save });
      if (first.status !== "requires_action") return first;
      const yes = await new Promise<boolean>((answer) => setQuestion(() => answer));
      setQuestion(null);
      if (!yes)
        throw new CardProblem(
          "We are unable to authenticate your payment method. Please choose a different one and try again.",
        );
      return practise({ client_secret: clientSecret, card, save, confirmed: true });
    },
  }));

  return (
    <div className="flex flex-col gap-3">
      <Field label="Card number" error={error}>
        <TextInput
          inputMode="numeric"
          autoComplete="cc-number"
          placeholder="4242 4242 4242 4242"
          value={number}
          maxLength={23}
          onChange={(event) => setNumber(grouped(event.target.value))}
        />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Expires" hint="MM / YY">
          <TextInput
            inputMode="numeric"
            autoComplete="cc-exp"
            placeholder="12 / 30"
            value={date}
            maxLength={7}
            onChange={(event) => setDate(monthAndYear(event.target.value))}
          />
        </Field>
        <Field label="Security code">
          <TextInput
            inputMode="numeric"
            autoComplete="cc-csc"
            placeholder="123"
            value={cvc}
            maxLength={4}
            onChange={(event) => setCvc(digits(event.target.value))}
          />
        </Field>
      </div>
      {question && (
        <Dialog title="Your practice bank asks" onClose={() => question(false)} width="sm">
          <p>Was it you who used this card just now?</p>
          <div className="flex justify-end gap-3">
            <Button onClick={() => question(false)}>No, stop</Button>
            <Button variant="primary" onClick={() => question(true)}>
              Yes, confirm
            </Button>
          </div>
        </Dialog>
      )}
    </div>
  );
});

async function practise(body: object): Promise<PaidIntent> {
  try {
    const answer = await callServer<Confirmed>(paths.confirmPractice, { body });
    const intent = answer.payment_intent ?? answer.setup_intent;
    if (!intent) throw new CardProblem("The practice provider did not answer.");
    return { id: intent.id, status: intent.status, method: intent.payment_method };
  } catch (error) {
    if (error instanceof CallError) throw new CardProblem(error.body.fields.card?.[0] ?? error.message);
    throw error;
  }
}

const digits = (text: string) => text.replace(/\D/g, "");
const grouped = (text: string) =>
  digits(text)
    .slice(0, 19)
    .replace(/(\d{4})(?=\d)/g, "$1 ");
const monthAndYear = (text: string) => {
  const all = digits(text).slice(0, 4);
  return all.length > 2 ? `${all.slice(0, 2)} / ${all.slice(2)}` : all;
};
