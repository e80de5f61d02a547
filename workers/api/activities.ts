// Activities: each documented call and the use case that answers it.
import { createActivity, readMadeActivity } from "~/use-cases/activities/activities.server";
import { listActivities, viewActivity } from "~/use-cases/activities/list.server";
import { viewHome } from "~/use-cases/home.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";
import { withWireFields } from "./sessions";

export const activityApi = [
  serve(calls.viewHome, viewHome),
  serve(calls.listActivities, (app, query) => listActivities(app, query)),
  serve(calls.listTemplates, (app, query) => listActivities(app, { ...query, templates: true })),
  serve(calls.viewActivity, viewActivity),
  serve(calls.createActivity, withWireFields(createActivity), (app, _, insertedId) =>
    readMadeActivity(app, insertedId),
  ),
];
