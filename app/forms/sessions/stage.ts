// The input of stages and embedded cards: the session or series, the look, and the parts to show (J-08, J-11).
import { z } from "zod";
import { STAGE_LOOKS, VIEW_LINK_ENDED } from "~/domain/sessions/stage";
import { oneLine } from "~/domain/text-fields";
import { id } from "~/wire/values";

// An unknown look or part is ignored, because an address may be typed by hand.
const choice = {
  look: z.enum(STAGE_LOOKS).optional().catch(undefined),
  show: oneLine().max(100).optional().catch(undefined),
};

/** The page behind a view link. Its code is in the fragment, which browsers do not send, so no session is named (J-10). */
export const StageChoiceInput = z.object(choice);
/** The code, which that page posts. */
export const ViewLinkInput = z.object({ code: oneLine().min(1, VIEW_LINK_ENDED).max(200), ...choice });
export const StageInput = z.object({ session: id, ...choice });
export const SeriesStageInput = z.object({ series: oneLine().max(200), ...choice });
