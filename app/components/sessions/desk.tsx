// The area under the face of a session: the round, the prompt, the last contribution, the box to answer in, and
// the viewer's aim.
import { ActionForm, FormErrors } from "~/components/form/action-form";
import { Icon } from "~/components/pictures/icon";
import { useLive } from "~/components/room/live-context";
import { Round } from "~/components/room/round";
import { Signals } from "~/components/room/signals";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { Select, TextInput } from "~/components/ui/inputs";
import { hasTurns } from "~/domain/schedule/part-kinds";
import type { Part } from "~/domain/schedule/shape";
import { AIM_LENGTH, aimTimeAt } from "~/domain/sessions/aims";
import { SESSION_STATUS, type SessionStatus } from "~/domain/sessions/status";
import type { DetailsView } from "~/domain/sessions/view";
import { useActionForm } from "~/hooks/form/use-action-form";
import { useFlips } from "~/hooks/use-now";
import type { ActResult } from "~/wire/act";
import { Contribute } from "./contribute";
import { RecentContributions } from "./recent-contributions";

export type DeskProps = {
  view: DetailsView;
  posted: ActResult | undefined;
  status: SessionStatus;
  /** The viewer's turn, or a part that accepts contributions from all. */
  mayContribute: boolean;
  active: readonly Part[];
  /** The username of the speaker. */
  turn: string | null;
};

export function Desk({ view, posted, status, mayContribute, active, turn }: DeskProps) {
  const { session, me } = view;
  const room = useLive("room");
  const isMyTurn = me.isJoined && turn !== null && turn === me.username;
  const turnPartId = (isMyTurn && active.find(hasTurns)?.id) || null;
  const isRunning = status === SESSION_STATUS.running;
  return (
    <>
      {isRunning && me.isJoined && <Signals me={me.username} />}
      {isRunning && <Round me={me.isJoined ? me.username : null} />}
      {room.prompt && <p className="desk-prompt">{room.prompt}</p>}
      {isRunning && me.mayRead && <RecentContributions contributions={room.contributions} />}
      {isRunning && me.isJoined && (
        <Contribute
          session={session}
          posted={posted}
          mayContribute={mayContribute}
          turnPartId={turnPartId}
          newUuid={view.newUuid}
        />
      )}
      {me.isJoined && status !== SESSION_STATUS.ended && !mayContribute && (
        <Aim view={view} posted={posted} isFolded={isRunning} />
      )}
    </>
  );
}

type AimProps = Pick<DeskProps, "view" | "posted">;

/** Folded in a running session, whose first screen is for the clock and the box to answer in. */
function Aim({ view, posted, isFolded }: AimProps & { isFolded: boolean }) {
  const { me } = view;
  const room = useLive("room");
  const isOpen = useFlips((now) => aimTimeAt(room, now) === "open").value;
  if (!isOpen || me.mute !== null) return null;
  if (!isFolded) return <AimForm view={view} posted={posted} />;
  return (
    <details className="w-full max-w-xl">
      <summary className="aim-fold">
        <span className="min-w-0 truncate">{me.aim || "What will you do?"}</span>
        <Icon name="edit" />
        {me.aim && <span className="sr-only">Change what you will do</span>}
      </summary>
      <AimForm view={view} posted={posted} />
    </details>
  );
}

function AimForm({ view, posted }: AimProps) {
  const { session, me, aimGoals } = view;
  const form = useActionForm({ intent: "aim", action: session.path, posted });
  const field = form.field("aim");
  const goal = form.field("goalId");
  return (
    <ActionForm form={form} className="flex w-full max-w-xl flex-col gap-2" aria-label="What will you do?">
      <Field label="What will you do?" error={field.error}>
        <TextInput
          name={field.name}
          key={me.aim}
          defaultValue={field.defaultValue || me.aim}
          maxLength={AIM_LENGTH}
          autoComplete="off"
          placeholder="Everybody here reads it."
        />
      </Field>
      <FormErrors form={form} />
      <div className="flex flex-wrap items-end justify-end gap-2">
        {aimGoals.length > 0 && (
          <Field label="For my goal, which nobody sees" className="min-w-0 flex-1" error={goal.error}>
            <Select
              name={goal.name}
              key={me.aimGoalId}
              defaultValue={goal.defaultValue || me.aimGoalId || ""}
            >
              <option value="">No goal</option>
              {aimGoals.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <Button type="submit" isLoading={form.isBusy}>
          {me.aim ? "Change it" : "Say it"}
        </Button>
      </div>
    </ActionForm>
  );
}
