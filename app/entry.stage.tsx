// The script of a stage's page. It is a bundle of its own, because a screen on a wall needs none of the site's scripts
// (P1).
import { createRoot } from "react-dom/client";
import { STAGE_ID, stageDataIn } from "./components/room/stage-ground";
import { StagePage } from "./components/room/stage-page";

const root = document.getElementById(STAGE_ID);
const first = stageDataIn(document);
// Nothing is hydrated: the numerals have moved on since the server rendered them.
if (root && first) createRoot(root).render(<StagePage initialData={first} />);
