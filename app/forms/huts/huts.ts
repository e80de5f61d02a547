// The forms of huts.
import { z } from "zod";
import { HutInput, INVITATION_OVER, MemberChange } from "~/domain/huts/huts";
import { oneLine } from "~/domain/text-fields";
import { checkbox, optionalId, optionalText } from "~/forms/fields";

const hutChoice = z.object({ hut: oneLine() });
export const HutFormInput = HutInput.extend({
  title: optionalText.pipe(HutInput.shape.title),
  isPrivate: checkbox,
});
export const HutFormChange = HutFormInput.extend({
  ...hutChoice.shape,
  admitsOutsiders: checkbox,
  takesOver: checkbox,
}).transform(({ hut, ...typed }) => ({
  ...typed,
  slug: hut,
}));
export const MembershipInput = hutChoice.transform(({ hut }) => ({ slug: hut }));

/** An activity by its full URL, its path or its slug. */
const activityAddress = oneLine()
  .default("")
  .transform(
    (value) =>
      value
        .trim()
        .replace(/[?#].*$/, "")
        .replace(/\/+$/, "")
        .split("/")
        .at(-1) ?? "",
  )
  .refine((slug) => slug !== "", "Please give the address of an activity.");
export const HutActivityInput = hutChoice.extend({ activity: activityAddress });

export const MemberRoleInput = MemberChange.omit({ isOwner: true });
export const HandOverInput = MemberChange.pick({ hut: true, username: true }).transform((input) => ({
  ...input,
  isOwner: true,
}));

export const DeleteHutInput = hutChoice.extend({ slug: optionalText });
export const InvitationInput = hutChoice;
/** The code, or the whole link; `session` is the one that the link invites to. */
export const EnterInput = z.object({
  code: optionalText
    .transform((value) => value.trim().split("#").at(-1) ?? "")
    .pipe(oneLine().min(1, "Please give the link or its code.").max(100, INVITATION_OVER)),
  session: optionalId.catch(undefined),
});
export const RequestInput = z.object({
  slug: optionalText
    .transform((value) => value.trim().replace(/\/+$/, "").split("/").at(-1)?.toLowerCase() ?? "")
    .pipe(
      oneLine().min(1, "Please give the address of the hut.").max(200, "Please give the address of the hut."),
    ),
});
const requestChoice = hutChoice.extend({ username: oneLine() });
export const AcceptRequestInput = requestChoice.transform((input) => ({ ...input, isAccepted: true }));
export const RefuseRequestInput = requestChoice.transform((input) => ({ ...input, isAccepted: false }));
