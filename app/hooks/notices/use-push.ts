// The browser's side of pushes (N-37): its permission, its subscription, and the calls that store it.
import { useEffect, useState } from "react";
import { PUSH_TURNED_OFF, PUSH_TURNED_ON, pushBoxEndpoint } from "~/domain/notices/push";
import { toast } from "~/hooks/toasts";
import { useCall } from "~/hooks/use-call";
import * as paths from "~/wire/paths";

const REFUSED = "This browser blocks our notifications. Its settings for this site can allow them.";
const FAILED = "This browser could not turn notifications on. Please try again later.";

/** `install`: Safari on iOS offers pushes only to installed apps. */
export type PushSupport = "unknown" | "yes" | "no" | "install";

/** `unknown` on the server and until hydration. */
export function usePushSupport(): PushSupport {
  const [support, setSupport] = useState<PushSupport>("unknown");
  useEffect(() => setSupport(readSupport()), []);
  return support;
}

function readSupport(): PushSupport {
  if ("PushManager" in window && "Notification" in window && "serviceWorker" in navigator) return "yes";
  // An iPad may call itself a Macintosh, but it has more than one touch point.
  const isIos =
    /iP(hone|ad|od)/.test(navigator.userAgent) ||
    (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
  const isInstalled = matchMedia("(display-mode: standalone)").matches;
  return isIos && !isInstalled ? "install" : "no";
}

type PushServer = { publicKey: string; boxOrigin: string | null };

export function usePush({ publicKey, boxOrigin }: PushServer) {
  const [isAsking, setAsking] = useState(false);
  const addCall = useCall({ success: PUSH_TURNED_ON });
  const removeCall = useCall({ success: PUSH_TURNED_OFF });
  const turnOn = async () => {
    if (isAsking) return;
    setAsking(true);
    try {
      if ((await Notification.requestPermission()) !== "granted") {
        toast.warning(REFUSED);
        return;
      }
      const body = boxOrigin === null ? await subscribe(publicKey) : await boxSubscription(boxOrigin);
      await addCall.run(paths.addSubscription, { body });
    } catch (error) {
      console.error(error);
      toast.warning(FAILED);
    } finally {
      setAsking(false);
    }
  };
  const turnOff = async () => {
    await removeCall.run(paths.removeSubscription);
    const registration = await navigator.serviceWorker.getRegistration();
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
  };
  return { turnOn, turnOff, isBusy: isAsking || addCall.isBusy || removeCall.isBusy };
}

async function subscribe(applicationServerKey: string): Promise<PushSubscriptionJSON> {
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription under an older key of ours would be refused for ever.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  return subscription.toJSON();
}

/** The subscription of a local run, whose pushes the mailbox page shows: this browser could not read them. */
async function boxSubscription(origin: string) {
  const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
  const p256dh = toBase64Url(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey)));
  const auth = toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
  return { endpoint: pushBoxEndpoint(origin, crypto.randomUUID()), keys: { p256dh, auth } };
}

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=/g, "");
