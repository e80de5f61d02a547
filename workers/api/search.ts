// Search: each documented call and the use case that answers it.
import { search } from "~/use-cases/palette.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";

export const searchApi = [serve(calls.search, search)];
