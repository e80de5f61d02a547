// The dialog before a logout or a change of name that asks about entries waiting in this browser's outbox (W-05).
import { useEffect, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";

type Props = {
  count: number;
  canSend: boolean;
  send: () => Promise<void>;
  deleteAll: () => Promise<void>;
};

type Act = { verb: string; label: string; title: string; returns: string };
const LOGOUT: Act = {
  verb: "log out",
  label: "Log out",
  title: "Log out with unsent entries?",
  returns: "Kept ones are sent when you log in here again, and nobody else sees them.",
};
const SWITCH: Act = {
  verb: "change",
  label: "Change",
  title: "Change the name with unsent entries?",
  returns: "Kept ones are sent when you act under the present name here again.",
};

function actOf(form: HTMLFormElement): Act | null {
  if (new URL(form.action).pathname === "/auth/logout") return LOGOUT;
  const intent = form.elements.namedItem("intent");
  return intent instanceof HTMLInputElement && intent.value === "switch-person" ? SWITCH : null;
}

export function LeavingQuestion({ count, canSend, send, deleteAll }: Props) {
  const [asked, setAsked] = useState<{ form: HTMLFormElement; act: Act } | null>(null);
  const isAnswered = useRef(false);
  useEffect(() => {
    const askFirst = (event: SubmitEvent) => {
      const { target: form } = event;
      if (count === 0 || isAnswered.current || !(form instanceof HTMLFormElement)) return;
      const act = actOf(form);
      if (act === null) return;
      event.preventDefault();
      event.stopPropagation();
      setAsked({ form, act });
    };
    addEventListener("submit", askFirst, true);
    return () => removeEventListener("submit", askFirst, true);
  }, [count]);
  if (!asked) return null;
  const { verb, label, title, returns } = asked.act;
  const leave = () => {
    isAnswered.current = true;
    asked.form.requestSubmit();
    // The page remains after a change of name, and asks again before the next one.
    isAnswered.current = false;
    setAsked(null);
  };
  const entries = count === 1 ? "one entry" : `${count} entries`;
  return (
    <Dialog
      title={title}
      role="alertdialog"
      onClose={() => setAsked(null)}
      description={
        count === 0
          ? `Everything is sent. You can ${verb} now.`
          : `This browser holds ${entries} that our server does not have yet. ${returns}`
      }
      footer={
        count === 0 ? (
          <Button variant="primary" onClick={leave}>
            {label}
          </Button>
        ) : (
          <>
            <Button variant="danger" onClick={() => void deleteAll().then(leave)}>
              Delete and {verb}
            </Button>
            <Button onClick={leave}>Keep and {verb}</Button>
            {canSend && (
              <Button variant="primary" onClick={() => void send()}>
                Send now
              </Button>
            )}
          </>
        )
      }
    />
  );
}
