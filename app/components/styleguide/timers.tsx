// The styleguide: the timer in each of its states, and the ribbon.
import { useState } from "react";
import { Section } from "~/components/layout/page";
import { type RibbonPart, ScheduleRibbon } from "~/components/schedule/ribbon";
import { type FaceState, TimerFace } from "~/components/schedule/timer-face";
import { Button } from "~/components/ui/button";
import { FullScreen } from "~/components/ui/full-screen";
import { instant, MINUTE, SECOND } from "~/domain/time";
import { useShell } from "~/hooks/use-shell";
import { Row } from "./row";

export function Timers() {
  return (
    <Section title="Timer">
      <Faces />
    </Section>
  );
}

function Faces() {
  const { now } = useShell();
  const [start] = useState(now);
  const [isFull, setIsFull] = useState(false);
  const facePropsOf = (
    state: FaceState,
    title: string,
    span: number,
    remaining: number,
    detail?: string,
  ) => ({
    title,
    state,
    span,
    detail,
    remainingAt: (at: number) => (state === "running" ? Math.max(0, start + remaining - at) : remaining),
  });
  const parts: RibbonPart[] = [
    { id: "a", title: "Settle in", span: 5 * MINUTE, state: "finished" },
    {
      id: "b",
      title: "Deep work",
      span: 25 * MINUTE,
      state: "running",
      ticks: [0.2, 0.4, 0.6, 0.8],
      doneAt: (at) => Math.min(1, 1 - (start + 17.5 * MINUTE - at) / (25 * MINUTE)),
    },
    { id: "c", title: "Break", span: 5 * MINUTE, state: "waiting", isGap: true },
    { id: "d", title: "Deep work again", span: 25 * MINUTE, state: "waiting" },
    { id: "e", title: "Tell each other", span: 10 * MINUTE, state: "waiting" },
  ];
  const running = facePropsOf("running", "Deep work", 25 * MINUTE, 17.5 * MINUTE, "Set 2 of 3 · Focus");
  const ribbon = { parts, next: { title: "Break", at: instant(start + 17.5 * MINUTE) } };
  return (
    <>
      <TimerFace {...running} />
      <ScheduleRibbon {...ribbon} />
      <ScheduleRibbon
        label="Paused schedule"
        parts={parts.map((part) =>
          part.id === "b" ? { ...part, state: "paused", doneAt: () => 0.3 } : part,
        )}
      />
      <Row>
        <Button onClick={() => setIsFull(true)}>Full screen</Button>
      </Row>
      <div className="grid gap-8 sm:grid-cols-3">
        <TimerFace {...facePropsOf("waiting", "Morning pages", 0, 2 * 60 * MINUTE + 5 * MINUTE)} />
        <TimerFace {...facePropsOf("paused", "Reading", 30 * MINUTE, 12 * MINUTE + 34 * SECOND)} />
        <TimerFace {...facePropsOf("finished", "Stretching", 10 * MINUTE, 0)} />
      </div>
      {isFull && (
        <FullScreen label={running.title} onClose={() => setIsFull(false)}>
          <div className="stage-screen">
            <TimerFace {...running} />
            <ScheduleRibbon {...ribbon} />
          </div>
        </FullScreen>
      )}
    </>
  );
}
