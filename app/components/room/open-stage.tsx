// The stage of a session as everybody sees it.
import type { StagePart } from "~/domain/sessions/stage";
import type { QrCode } from "~/domain/sessions/view";
import type { LiveRoom } from "~/wire/room/live-room";
import { StageScreen } from "./stage-screen";
import { FaceDetail, useStage } from "./use-stage";

type Props = { room: LiveRoom; parts: readonly StagePart[]; qr: QrCode | null };

export function OpenStage({ room, ...screenProps }: Props) {
  const reading = useStage(room, null, false);
  const { face } = reading;
  return (
    <StageScreen {...screenProps} room={room} reading={reading} detail={face && <FaceDetail face={face} />} />
  );
}
