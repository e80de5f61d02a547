// Sessions: each documented call and the use case that answers it. The call for a summary answers a stream of events (C-67).
import { AppError, isAppError } from "~/domain/errors";
import { logLine } from "~/domain/log-line";
import type { UseCase } from "~/use-cases/app.server";
import { changeSessions } from "~/use-cases/series/change.server";
import { removeAim, writeAim } from "~/use-cases/sessions/aims.server";
import { claimSession } from "~/use-cases/sessions/claim.server";
import { createSession } from "~/use-cases/sessions/create.server";
import { viewSessionForum } from "~/use-cases/sessions/forum-page.server";
import { notifyParticipants, readSentMessage } from "~/use-cases/sessions/host-message.server";
import { listSessions } from "~/use-cases/sessions/list.server";
import { logInSession, startSessionLog } from "~/use-cases/sessions/logs.server";
import { viewMemberGoals } from "~/use-cases/sessions/member-goals-page.server";
import {
  addPart,
  addPartGroup,
  deletePart,
  reorderParts,
  updatePart,
} from "~/use-cases/sessions/parts.server";
import {
  changeParticipant,
  completeSession,
  joinSession,
  keepSeat,
  leaveSession,
  removeParticipant,
  setReady,
} from "~/use-cases/sessions/people.server";
import { repeatSession } from "~/use-cases/sessions/repeat.server";
import {
  adjustPart,
  controlPart,
  endSession,
  moveRound,
  startSession,
} from "~/use-cases/sessions/run.server";
import { liftSessionBan } from "~/use-cases/sessions/sanctions.server";
import {
  contributeContent,
  makeSummary,
  pollSummary,
  saveContent,
  streamSummary,
} from "~/use-cases/sessions/texts.server";
import { updateSession } from "~/use-cases/sessions/update.server";
import {
  viewSession,
  viewSessionChat,
  viewSessionGoals,
  viewSessionLogs,
} from "~/use-cases/sessions/views.server";
import { stopWaiting, waitForSeat } from "~/use-cases/sessions/waiting.server";
import type { Call } from "~/wire/call";
import { calls } from "~/wire/calls";
import { refuseCrossSite } from "../guards";
import { type ServedCall, serve } from "../serve";

/** The fields with another name on the wire. All others differ only in their case. */
const WIRE_NAMES: Record<string, string> = {
  schedule: "parts",
  goals: "tasks",
  activitySlug: "challenge_slug",
  activityId: "challenge_id",
  isTemplate: "is_preset",
  isHost: "host",
};

/** The use case with the fields of its errors renamed to their names on the wire. */
export const withWireFields =
  <I, R>(useCase: UseCase<I, R>, wireNames: Record<string, string> = WIRE_NAMES): UseCase<I, R> =>
  async (app, input) => {
    try {
      return await useCase(app, input);
    } catch (error) {
      if (!isAppError(error) || (error.code !== "INVALID" && error.code !== "CONFLICT")) throw error;
      const fields = Object.fromEntries(
        Object.entries(error.fields).map(([name, sentences]) => [wireNames[name] ?? name, sentences]),
      );
      const { sentences, newer } = error;
      throw new AppError(error.code, error.message, { fields, sentences, ...(newer && { newer }) });
    }
  };

const encoder = new TextEncoder();
/** A server-sent event, with a `data:` line for each line of the text. */
const encodeSse = (name: string, text: string) =>
  encoder.encode(
    `event: ${name}\n${text
      .split("\n")
      .map((line) => `data: ${line}\n`)
      .join("")}\n`,
  );

/** Answers server-sent events: a `summary` event for each piece of text, then `done` with the whole text. */
const streamedSummary: ServedCall = {
  call: calls.streamSummary as unknown as Call<never, never>,
  async respond(c) {
    const app = c.get("app");
    refuseCrossSite(c.req.raw);
    if (!app.user) throw new AppError("UNAUTHENTICATED");
    const pieces = await streamSummary(app, { slug: c.req.param("challenge") ?? "" });
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const pump = async () => {
      let whole = "";
      try {
        for await (const piece of pieces) {
          whole += piece;
          await writer.write(encodeSse("summary", piece));
        }
        await writer.write(encodeSse("done", whole.trim()));
      } catch (error) {
        console.error(logLine({ event: "summary-failed", error: String(error) }));
        await writer
          .write(encodeSse("failed", "The summary could not be made. Please try again."))
          .catch(() => {});
      } finally {
        await writer.close().catch(() => {});
      }
    };
    c.executionCtx.waitUntil(pump());
    return c.body(readable, 200, {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "private, no-store",
    });
  },
};

export const sessionApi: ServedCall[] = [
  serve(calls.listSessions, listSessions),
  serve(calls.viewSession, viewSession),
  serve(calls.viewSessionGoals, viewSessionGoals),
  serve(calls.viewMemberGoals, viewMemberGoals),
  serve(calls.viewSessionLogs, viewSessionLogs),
  serve(calls.viewSessionForum, viewSessionForum),
  serve(calls.viewSessionChat, viewSessionChat),
  serve(calls.createSession, withWireFields(createSession)),
  serve(calls.patchSession, withWireFields(changeSessions)),
  serve(calls.saveSessionParts, withWireFields(updateSession)),
  serve(calls.repeatSession, withWireFields(repeatSession)),
  serve(calls.joinSession, joinSession),
  serve(calls.leaveSession, leaveSession),
  serve(calls.waitForSeat, waitForSeat),
  serve(calls.stopWaiting, stopWaiting),
  serve(calls.startSession, startSession),
  serve(calls.endSession, endSession),
  serve(calls.keepSeat, keepSeat),
  serve(calls.claimSession, claimSession),
  serve(calls.notifyParticipants, notifyParticipants, readSentMessage),
  serve(calls.completeSession, completeSession),
  serve(calls.writeAim, writeAim),
  serve(calls.removeAim, removeAim),
  serve(calls.changeParticipant, changeParticipant),
  serve(calls.removeParticipant, removeParticipant),
  serve(calls.liftSessionBan, liftSessionBan),
  serve(calls.setReady, setReady),
  serve(calls.addSessionPartGroup, withWireFields(addPartGroup)),
  serve(calls.addPartGroup, withWireFields(addPartGroup)),
  serve(calls.addPart, withWireFields(addPart)),
  // It comes before `{part}`, which would match "reorder" as a part.
  serve(calls.reorderParts, withWireFields(reorderParts)),
  serve(calls.updatePart, withWireFields(updatePart)),
  serve(calls.deletePart, deletePart),
  serve(calls.startPart, controlPart("start")),
  serve(calls.pausePart, controlPart("pause")),
  serve(calls.resumePart, controlPart("resume")),
  serve(calls.finishPart, controlPart("finish")),
  serve(calls.resetPart, controlPart("reset")),
  serve(calls.adjustPart, adjustPart),
  serve(calls.nextTurn, moveRound("next")),
  serve(calls.endRound, moveRound("end-round")),
  serve(calls.undoRound, moveRound("undo")),
  serve(calls.passTurn, moveRound("pass")),
  serve(calls.makeSummary, makeSummary),
  serve(calls.pollSummary, pollSummary),
  streamedSummary,
  serve(calls.saveContent, withWireFields(saveContent)),
  serve(calls.contributeContent, contributeContent),
  serve(calls.logInSession, logInSession),
  serve(calls.logBySlug, logInSession),
  serve(calls.startSessionLog, startSessionLog),
];
