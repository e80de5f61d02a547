// The switch of this browser's notifications (N-37). It asks for permission only when pressed.
import { Button } from "~/components/ui/button";
import { usePush, usePushSupport } from "~/hooks/notices/use-push";

type Props = {
  publicKey: string;
  isOn: boolean;
  /** The origin of the mailbox of a local run, which receives the pushes; null in a deployment. */
  boxOrigin: string | null;
};

export function PushSection({ publicKey, isOn, boxOrigin }: Props) {
  const support = usePushSupport();
  const { turnOn, turnOff, isBusy } = usePush({ publicKey, boxOrigin });
  if (isOn)
    return (
      <>
        <p>Notifications are on in this browser.</p>
        <Button onClick={() => void turnOff()} isLoading={isBusy} className="self-start">
          Turn off notifications
        </Button>
      </>
    );
  if (support === "install")
    return (
      <div className="flex flex-col gap-2">
        <p>Safari shows notifications only of installed apps. To install this one:</p>
        <ol className="list-decimal ps-6">
          <li>Press Share in Safari.</li>
          <li>Choose “Add to Home Screen”.</li>
          <li>Open the app there, and come back to this page.</li>
        </ol>
      </div>
    );
  if (support === "no") return <p className="text-soft">This browser cannot show notifications of ours.</p>;
  return (
    <>
      <noscript>
        <p className="text-soft">Notifications need JavaScript.</p>
      </noscript>
      <Button
        onClick={() => void turnOn()}
        isLoading={isBusy}
        disabled={support === "unknown"}
        className="self-start"
      >
        Turn on notifications
      </Button>
      {boxOrigin !== null && (
        <p className="text-sm text-soft">Pushes of this local run land at /local/mailbox.</p>
      )}
    </>
  );
}
