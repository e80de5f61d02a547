// Notes: each documented call and the use case that answers it.
import { createNote, readNote, updateNote } from "~/use-cases/goals/notes.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";

export const noteApi = [serve(calls.createNote, createNote), serve(calls.updateNote, updateNote, readNote)];
