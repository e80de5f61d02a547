// The forms of sanctions: muting, removing, keeping out, and suspending.
import { z } from "zod";
import { MemberChange } from "~/domain/huts/huts";
import { SUSPENSION_DAYS } from "~/domain/safety/sanctions";
import { manyLines, oneLine } from "~/domain/text-fields";
import { checkbox } from "~/forms/fields";
import { SessionChoice } from "~/forms/sessions/sessions";
import { mute, reason } from "~/wire/safety/sanctions";

const username = oneLine().min(1).max(60);
const why = reason.optional().default("");
export const SeatChoice = SessionChoice.extend({ username });
export const MuteInput = SeatChoice.extend({ mute });
export const RemovalInput = SeatChoice.extend({
  isBanned: checkbox,
  isSeries: checkbox,
  withLines: checkbox,
  reason: why,
});

const InHut = MemberChange.pick({ hut: true, username: true });
export const HutMuteInput = InHut.extend({ mute });
export const HutBanInput = InHut.extend({ reason: why }).transform((input) => ({ ...input, isBanned: true }));
export const HutLetInInput = InHut.transform((input) => ({ ...input, isBanned: false }));

export const AccountChoice = z.object({ username });
export const SuspensionInput = AccountChoice.extend({
  days: z.coerce.number().pipe(z.literal([...SUSPENSION_DAYS], "Please choose how long.")),
  reason: manyLines("Please give a reason.").pipe(reason.min(1, "Please give a reason.")),
});
