// The intents of the forms on a session's pages. With JavaScript most of them are calls instead.
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { SeriesChoice, StandingInput } from "~/forms/series/series";
import {
  AimInput,
  CallInput,
  ClaimInput,
  ContributionInput,
  DoneInput,
  JoinInput,
  ReadyInput,
  RepeatInput,
  SessionChoice,
  SitInInput,
  TextsInput,
  TurnChoice,
} from "~/forms/sessions/sessions";
import { act, on } from "~/http/act.server";
import { MAX_BYTES_WITH_TEXTS } from "~/http/read-form.server";
import { makeCall } from "~/use-cases/make-call.server";
import { giveUpStandingSeat, takeStandingSeat } from "~/use-cases/series/standing.server";
import { writeAim } from "~/use-cases/sessions/aims.server";
import { claimSession } from "~/use-cases/sessions/claim.server";
import { sitIn } from "~/use-cases/sessions/guests.server";
import {
  completeSession,
  joinSession,
  keepSeat,
  leaveSession,
  setReady,
} from "~/use-cases/sessions/people.server";
import { repeatSession } from "~/use-cases/sessions/repeat.server";
import {
  deleteSession,
  endSession,
  moveRound,
  resetSession,
  startSession,
} from "~/use-cases/sessions/run.server";
import { contributeContent, saveContent } from "~/use-cases/sessions/texts.server";
import { stopWaiting, waitForSeat } from "~/use-cases/sessions/waiting.server";

export function sessionAction(args: ActionFunctionArgs) {
  const redirectTo = () => `/sessions/${args.params.session}`;
  return act(
    args,
    {
      join: on(JoinInput, joinSession, { toast: "You have successfully joined this session.", redirectTo }),
      "sit-in": on(SitInInput, sitIn, { toast: "You sit in as a guest.", redirectTo }),
      wait: on(JoinInput, waitForSeat, { toast: "You are on the waiting list.", redirectTo }),
      unwait: on(SessionChoice, stopWaiting, { toast: "You have left the waiting list.", redirectTo }),
      leave: on(SessionChoice, leaveSession, {
        toast: "You have left the session.",
        redirectTo: ({ session: { isPrivate, hut } }) =>
          isPrivate && hut === null ? "/my/sessions" : redirectTo(),
      }),
      ready: on(ReadyInput, setReady, {
        toast: ({ isReady }) =>
          isReady ? "You are ready for this activity!" : "You are not marked as ready any more.",
        redirectTo,
      }),
      start: on(SessionChoice, startSession, { toast: "The session has started!", redirectTo }),
      end: on(SessionChoice, endSession, { toast: "This session has ended.", redirectTo }),
      "seat.keep": on(SessionChoice, keepSeat, { toast: "You keep your seat.", redirectTo }),
      claim: on(ClaimInput, claimSession, { toast: "You host this session now.", redirectTo }),
      repeat: on(RepeatInput, repeatSession, {
        toast: "The next session is ready.",
        redirectTo: ({ session }) => session.path,
      }),
      "standing.take": on(StandingInput, takeStandingSeat, {
        toast: "You have a seat in each session that is laid out from now on.",
        redirectTo,
      }),
      "standing.end": on(SeriesChoice, giveUpStandingSeat, {
        toast: "You join each session yourself.",
        redirectTo,
      }),
      call: on(CallInput, makeCall, {
        toast: ({ isFirst }) => (isFirst ? "The call is ready." : "There is a new call."),
        redirectTo,
      }),
      complete: on(DoneInput, completeSession, { redirectTo }),
      aim: on(AimInput, writeAim, { redirectTo }),
      reset: on(SessionChoice, resetSession, { needsCheck: true, toast: "Success!", redirectTo }),
      "texts.save": on(TextsInput, saveContent, { toast: "Success!", redirectTo }),
      pass: on(TurnChoice, moveRound("pass"), { redirectTo }),
      "texts.contribute": on(ContributionInput, contributeContent, { toast: "Success!", redirectTo }),
      delete: on(SessionChoice, deleteSession, {
        toast: "The session was deleted.",
        redirectTo: () => "/events",
      }),
    },
    MAX_BYTES_WITH_TEXTS,
  );
}
