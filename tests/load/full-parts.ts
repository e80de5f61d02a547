// The largest plan, in the shape of the wire, with turns before it.
import { fullPlan, turnsBeside } from "#tests/support/full-plan";
import { instant } from "~/domain/time";
import { scheduleOut } from "~/wire/schedule/schedule";

export const parts = scheduleOut(fullPlan([turnsBeside()]), instant(0));
