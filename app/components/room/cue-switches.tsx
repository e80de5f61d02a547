// The switches of cues: sound, vibration, notifications.
import { useEffect, useState } from "react";
import { Switch } from "~/components/ui/choices";
import { startAudio } from "~/hooks/room/cue-player";
import { requestNotificationPermission, setCueSettings, useCueSettings } from "~/hooks/room/cue-settings";
import { toast } from "~/hooks/toasts";

export default function CueSwitches() {
  const settings = useCueSettings();
  const [canVibrate, setCanVibrate] = useState(false);
  const [canNotify, setCanNotify] = useState(false);
  useEffect(() => {
    setCanVibrate("vibrate" in navigator && matchMedia("(pointer: coarse)").matches);
    setCanNotify("Notification" in window);
  }, []);
  return (
    <div className="flex flex-col gap-1 p-2 text-start">
      <Switch
        label="Sound"
        hint="When a timer starts, is nearly over, and ends."
        checked={settings.sound}
        onChange={(event) => {
          if (event.target.checked) startAudio();
          setCueSettings({ sound: event.target.checked });
        }}
      />
      {canVibrate && (
        <Switch
          label="Vibration"
          checked={settings.vibration}
          onChange={(event) => setCueSettings({ vibration: event.target.checked })}
        />
      )}
      {canNotify && (
        <Switch
          label="Notifications"
          hint="While this page is in the background."
          checked={settings.notifications}
          onChange={async (event) => {
            const isWanted = event.target.checked;
            if (isWanted && !(await requestNotificationPermission())) {
              toast.warning(
                "Your browser blocks notifications from this site. You can allow them in its settings.",
              );
              return;
            }
            setCueSettings({ notifications: isWanted });
          }}
        />
      )}
    </div>
  );
}
