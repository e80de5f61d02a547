// The people of a session, for the host and admins: mute, remove, keep out, let back in, and write to
// all (N-27).
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { sessionMeta } from "~/components/sessions/meta";
import { SessionPeople } from "~/components/sessions/people";
import { MuteInput, RemovalInput, SeatChoice } from "~/forms/safety/sanctions";
import { GuestNameInput, HostLineInput, HostMessageInput, SessionChoice } from "~/forms/sessions/sessions";
import { act, on } from "~/http/act.server";
import { load } from "~/http/load.server";
import { clearLine, showLine } from "~/use-cases/room/chat.server";
import { removeAim } from "~/use-cases/sessions/aims.server";
import { removeGuests, renameGuest } from "~/use-cases/sessions/guests.server";
import { notifyParticipants } from "~/use-cases/sessions/host-message.server";
import { removeParticipant } from "~/use-cases/sessions/people.server";
import { viewSessionPeople } from "~/use-cases/sessions/people-page.server";
import { liftSessionBan, muteParticipant } from "~/use-cases/sessions/sanctions.server";
import { makeViewLink, revokeViewLink } from "~/use-cases/sessions/view-links.server";
import { id } from "~/wire/values";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, viewSessionPeople, { input: z.object({ session: id }), whenSignedOut: "redirect" });

export const action = (args: ActionFunctionArgs) => {
  const redirectTo = () => `/sessions/${args.params.session}/people`;
  return act(args, {
    mute: on(MuteInput, muteParticipant, { redirectTo }),
    remove: on(RemovalInput, removeParticipant, { toast: "The person has been removed.", redirectTo }),
    notify: on(HostMessageInput, notifyParticipants, { toast: "Your message was sent.", redirectTo }),
    "aim.remove": on(SeatChoice, removeAim, { toast: "The line was removed.", redirectTo }),
    line: on(HostLineInput, showLine, { toast: "The line is on all screens.", redirectTo }),
    "line.clear": on(SessionChoice, clearLine, { toast: "The line is gone from all screens.", redirectTo }),
    "view-link": on(SessionChoice, makeViewLink, { rendersResult: true }),
    "view-link.end": on(SessionChoice, revokeViewLink, {
      toast: "The link shows nothing any more.",
      redirectTo,
    }),
    "guest.rename": on(GuestNameInput, renameGuest, { toast: "The guest has another name.", redirectTo }),
    "guests.remove": on(SessionChoice, removeGuests, { toast: "All guests have been removed.", redirectTo }),
    "let-in": on(SeatChoice, liftSessionBan, { toast: "They may join again.", redirectTo }),
  });
};

export const meta: MetaFunction = (args) => sessionMeta(args, "People");

export default function People() {
  return <SessionPeople view={useLoaderData<typeof loader>()} />;
}
