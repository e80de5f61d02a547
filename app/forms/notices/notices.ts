// The form of /account/notifications: a field for each kind and channel (N-14).
import { z } from "zod";
import { SHOWN_KINDS } from "~/domain/notices/event-rules";
import { CHANNELS, type Channel, DIGESTS, kindRule } from "~/domain/notices/notices";
import { minuteOfText } from "~/domain/notices/quiet-hours";
import { badHours } from "~/domain/notices/refusals";
import { oneLine } from "~/domain/text-fields";

const field = oneLine().max(20).optional();
const kindChannels = SHOWN_KINDS.flatMap((kind) =>
  kindRule(kind).isFixed
    ? []
    : CHANNELS.flatMap((channel) => (kindRule(kind)[channel] === null ? [] : [{ kind, channel }])),
);
const nameOf = (kind: string, channel: Channel) => `${kind}:${channel}`;

/** A time is stored as its minute of the day plus 1; a text that is no time is no value of the kind. */
const settingIn = (kind: string, text = ""): number =>
  kind === "still-open" && text !== "" && text !== "0" ? (minuteOfText(text) ?? -2) + 1 : Number(text);

/** An unticked checkbox sends nothing, so the form names the channels that it shows. */
export const NoticeSettingsForm = z
  .object({
    ...(Object.fromEntries(kindChannels.map(({ kind, channel }) => [nameOf(kind, channel), field])) as Record<
      string,
      typeof field
    >),
    channels: oneLine().max(40),
    quietFrom: oneLine().max(10).optional().default(""),
    quietTo: oneLine().max(10).optional().default(""),
    digest: z.enum(DIGESTS).optional().default("off"),
  })
  .superRefine(({ quietFrom, quietTo }, context) => {
    if (quietFrom === "" && quietTo === "") return;
    for (const [name, text] of Object.entries({ quietFrom, quietTo }))
      if (minuteOfText(text) === null) context.addIssue({ code: "custom", path: [name], message: badHours });
  })
  .transform((form) => {
    const values = form as unknown as Record<string, string | undefined>;
    const shownChannels = form.channels.split(",");
    const { quietFrom, quietTo, digest } = form;
    return {
      settings: kindChannels
        .filter(({ channel }) => shownChannels.includes(channel))
        .map(({ kind, channel }) => ({
          kind,
          channel,
          value: settingIn(kind, values[nameOf(kind, channel)]),
        })),
      quiet: quietFrom === "" && quietTo === "" ? null : { from: quietFrom, to: quietTo },
      digest,
    };
  });

/** The key of a delivery. */
export const DeliveryChoice = z.object({ key: oneLine().min(1).max(200) });
