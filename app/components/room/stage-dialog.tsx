// The full-screen timer of a session's page: its stage, with a way back (J-08).
import { Link, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { FullScreen } from "~/components/ui/full-screen";
import { STAGE_PARTS } from "~/domain/sessions/stage";
import type { LiveRoom } from "~/wire/room/live-room";
import { StageScreen } from "./stage-screen";
import type { StageReading } from "./use-stage";

type Props = {
  room: LiveRoom;
  me: string | null;
  reading: StageReading;
  detail: ReactNode;
  isPrivate: boolean;
  onClose: () => void;
};

export default function StageDialog({ me, isPrivate, onClose, ...screenProps }: Props) {
  const { pathname } = useLocation();
  const isHost = screenProps.room.participants.some(({ username, isHost }) => isHost && username === me);
  return (
    <FullScreen label={screenProps.room.title} onClose={onClose}>
      <StageScreen {...screenProps} parts={STAGE_PARTS} qr={null} />
      <p className="text-center text-sm empty:hidden">
        {isPrivate ? (
          // A projector has no login, so a private session needs a view link (J-10).
          isHost && (
            <Link to={`${pathname}/people#view-link`} className="text-soft underline">
              Make a link for a projector
            </Link>
          )
        ) : (
          <Link to={`${pathname}/stage`} reloadDocument className="text-soft underline">
            Open it as a page for a projector
          </Link>
        )}
      </p>
    </FullScreen>
  );
}
