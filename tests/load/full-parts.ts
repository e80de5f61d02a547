// The largest plan with turns before it, in the shape of the wire.
import { fullPlan, turnsBeside } from "#tests/support/full-plan";
import { instant } from "~/domain/time";
import { scheduleOut } from "~/wire/schedule/schedule";

export const parts = scheduleOut(fullPlan([turnsBeside()]), instant(0));
