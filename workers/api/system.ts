import { calls } from "~/wire/calls";
import { serve } from "../serve";

export const systemApi = [serve(calls.readTime, async () => ({ now: Date.now() }))];
