// A session that fills a screen: the numerals, whose turn it is, the next part, people and the code of its address (J-08).
import clsx from "clsx";
import type { ReactNode } from "react";
import { ScheduleRibbon } from "~/components/schedule/ribbon";
import { TimerFace } from "~/components/schedule/timer-face";
import { QrCode } from "~/components/ui/qr-code";
import { nameOfSeat } from "~/domain/room/guest-names";
import type { StagePart } from "~/domain/sessions/stage";
import { SESSION_STATUS } from "~/domain/sessions/status";
import type { QrCode as Code } from "~/domain/sessions/view";
import type { LiveRoom } from "~/wire/room/live-room";
import { HostLine } from "./host-line";
import { StageClock } from "./stage-clock";
import type { StageReading } from "./use-stage";

/** More names would be too small for the room. */
const MAX_NAMED_PEOPLE = 12;

type Props = {
  room: LiveRoom;
  reading: Pick<StageReading, "status" | "face" | "ribbon">;
  /** Under the numerals. */
  detail: ReactNode;
  parts: readonly StagePart[];
  qr: Code | null;
};

export function StageScreen({ room, reading: { status, face, ribbon }, detail, parts, qr }: Props) {
  const shows = (part: StagePart) => parts.includes(part);
  const isOver = status === SESSION_STATUS.ended;
  return (
    <div className="stage-screen">
      <h1 className="stage-title">{room.title}</h1>
      {isOver && <p className="stage-over">This session has ended.</p>}
      {shows("timer") && face && (
        <TimerFace
          {...face.props}
          isTitleHidden={face.props.title === room.title}
          detail={detail}
          {...(!import.meta.env.SSR && { numerals })}
        />
      )}
      {shows("line") && status === SESSION_STATUS.running && <HostLine room={room} />}
      {shows("next") && !isOver && ribbon.parts.length > 0 && (
        <ScheduleRibbon {...ribbon} label="The session's timers" />
      )}
      <div className="stage-foot">
        {shows("people") && room.participants.length > 0 && <People room={room} />}
        {shows("qr") && qr && <QrCode qr={qr} label="The address of this session" className="stage-qr" />}
      </div>
    </div>
  );
}

const numerals = (clock: string) => <StageClock clock={clock} />;

function People({ room: { participants, count } }: { room: LiveRoom }) {
  const namedPeople = participants.slice(0, MAX_NAMED_PEOPLE);
  const unnamedCount = count - namedPeople.length;
  return (
    <ul aria-label="People" className="stage-people">
      {namedPeople.map((person) => (
        <li
          key={person.username}
          className={clsx((person.isReady || person.completedAt !== null) && "is-ready")}
        >
          {nameOfSeat(person)}
        </li>
      ))}
      {unnamedCount > 0 && <li>and {unnamedCount} more</li>}
    </ul>
  );
}
