// The parts of a goal's details that the browser loads after its progress and its buttons, in one chunk.
export { LogByHand } from "~/components/logs/log-form";
export { LogList } from "~/components/logs/log-list";
export { RunningLine } from "~/components/logs/running-line";
export { RunningLog } from "~/components/logs/running-log";
export { Checklist } from "./checklist";
export { GoalText } from "./goal-text";
export { GoalTimers } from "./goal-timers";
export { GoalTools } from "./goal-tools";
export { HeatMapChart } from "./heat-map-chart";
