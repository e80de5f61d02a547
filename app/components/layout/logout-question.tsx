// The dialog before a logout that asks about entries waiting in this browser's outbox (W-05).
import { useEffect, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";

type Props = {
  count: number;
  canSend: boolean;
  send: () => Promise<void>;
  deleteAll: () => Promise<void>;
};

const isLogout = (target: EventTarget | null): target is HTMLFormElement =>
  target instanceof HTMLFormElement && new URL(target.action).pathname === "/auth/logout";

export function LogoutQuestion({ count, canSend, send, deleteAll }: Props) {
  const [form, setForm] = useState<HTMLFormElement | null>(null);
  const isAnswered = useRef(false);
  useEffect(() => {
    const askBeforeLogout = (event: SubmitEvent) => {
      if (count === 0 || isAnswered.current || !isLogout(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
      setForm(event.target);
    };
    addEventListener("submit", askBeforeLogout, true);
    return () => removeEventListener("submit", askBeforeLogout, true);
  }, [count]);
  if (!form) return null;
  const logOut = () => {
    isAnswered.current = true;
    form.requestSubmit();
  };
  const entries = count === 1 ? "one entry" : `${count} entries`;
  return (
    <Dialog
      title="Log out with unsent entries?"
      role="alertdialog"
      onClose={() => setForm(null)}
      description={
        count === 0
          ? "Everything is sent. You can log out now."
          : `This browser holds ${entries} that our server does not have yet. Kept ones are sent when you log in here again, and nobody else sees them.`
      }
      footer={
        count === 0 ? (
          <Button variant="primary" onClick={logOut}>
            Log out
          </Button>
        ) : (
          <>
            <Button variant="danger" onClick={() => void deleteAll().then(logOut)}>
              Delete and log out
            </Button>
            <Button onClick={logOut}>Keep and log out</Button>
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
