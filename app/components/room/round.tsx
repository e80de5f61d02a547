// A round: the faces in the order of their turns, each with its state in a word.
import clsx from "clsx";
import { useEffect, useRef } from "react";
import { Avatar } from "~/components/ui/avatar";
import { nameAmong } from "~/domain/room/guest-names";
import { hasTurns } from "~/domain/schedule/part-kinds";
import { comingTurns } from "~/domain/schedule/round";
import { type Part, partsInOrder } from "~/domain/schedule/shape";
import { turnAt } from "~/domain/schedule/timer-pieces";
import { type Instant, instant } from "~/domain/time";
import { useFlips } from "~/hooks/use-now";
import { useLive } from "./live-context";
import { useLiveSchedule } from "./use-live-schedule";

type Face = { name: string; word: string; isSpeaking: boolean; isAway: boolean };

/** The faces in the order of the turns, last the people who missed both of their turns. Pure. */
export function facesAt(part: Part, now: Instant, me: string | null, online: ReadonlySet<string>): Face[] {
  const turn = turnAt(part, now);
  if (!turn) return [];
  const presence = (name: string) => ({ isHere: online.has(name), since: instant(0) });
  const [next] = comingTurns(part, now, presence);
  const names = [...part.turns, ...(part.missed ?? [])];
  return names.map((name, index) => {
    const isMe = name === me;
    const isOver = index < turn.index;
    const isSpeaking = index === turn.index;
    const isAway = !isOver && !online.has(name) && !isMe;
    const isNext = index > turn.index && index < part.turns.length && name === next;
    const word = isSpeaking
      ? isMe
        ? "your turn"
        : "speaking"
      : isOver
        ? "done"
        : isNext
          ? isMe
            ? "next: you"
            : "next"
          : isAway
            ? "away"
            : "";
    return { name, word, isSpeaking, isAway };
  });
}

export function Round({ me }: { me: string | null }) {
  const room = useLive("room");
  const online = useLive("online");
  const { schedule } = useLiveSchedule(room, true);
  const part = partsInOrder(schedule).find(
    (candidate) => hasTurns(candidate) && (candidate.state === "running" || candidate.state === "paused"),
  );
  const { at } = useFlips((now) => (part ? (turnAt(part, now)?.index ?? -1) : -1));
  const faces = part ? facesAt(part, at, me, new Set(online)) : [];
  const row = useRef<HTMLOListElement>(null);
  const speaker = faces.findIndex(({ isSpeaking }) => isSpeaking);
  // A phone is too narrow for all the faces, so the row scrolls to the speaker.
  useEffect(() => {
    const face = row.current?.children[speaker];
    if (row.current && face instanceof HTMLElement)
      row.current.scrollLeft = face.offsetLeft - row.current.offsetLeft;
  }, [speaker]);
  if (faces.length < 2) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it.
    <ol ref={row} aria-label="Round" tabIndex={0} className="round">
      {faces.map(({ name, word, isSpeaking, isAway }) => (
        <li
          key={name}
          aria-current={isSpeaking ? "step" : undefined}
          className={clsx(isSpeaking && "is-speaking", isAway && "is-away", word === "done" && "is-done")}
        >
          <Avatar name={name} size={32} isOnline={!isAway} isTheirTurn={isSpeaking} />
          <span className="round-name">{name === me ? "You" : nameAmong(room.participants, name)}</span>
          <span className="round-word">{word}</span>
        </li>
      ))}
    </ol>
  );
}
