// Notices: each documented call and the use case that answers it.
import { changeNoticeSettings, listNotices, readNotices } from "~/use-cases/notices/notices.server";
import { calls } from "~/wire/calls";
import { serve } from "../serve";

export const noticeApi = [
  serve(calls.listMyNotices, listNotices),
  serve(calls.readNotices, readNotices),
  serve(calls.changeNoticeSettings, changeNoticeSettings),
];
