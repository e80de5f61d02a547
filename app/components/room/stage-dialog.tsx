// The full-screen timer of a session's page: its stage, with a way back (J-08).
import { Link, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { FullScreen } from "~/components/ui/full-screen";
import { STAGE_PARTS } from "~/domain/sessions/stage";
import type { LiveRoom } from "~/wire/room/live-room";
import { StageScreen } from "./stage-screen";
import type { StageReading } from "./use-stage";

type Props = { room: LiveRoom; reading: StageReading; detail: ReactNode; onClose: () => void };

export default function StageDialog({ onClose, ...screenProps }: Props) {
  const { pathname } = useLocation();
  return (
    <FullScreen label={screenProps.room.title} onClose={onClose}>
      <StageScreen {...screenProps} parts={STAGE_PARTS} qr={null} />
      <p className="text-center text-sm">
        <Link to={`${pathname}/stage`} reloadDocument className="text-soft underline">
          Open it as a page for a projector
        </Link>
      </p>
    </FullScreen>
  );
}
