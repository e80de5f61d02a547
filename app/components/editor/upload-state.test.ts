// The states of an upload.
import { expect, test } from "vitest";
import { nextUploadState, type UploadEvent, type UploadState } from "./upload-state";

const FAILED: UploadEvent = { type: "fail", fileName: "hut.png" };
const run = (...events: UploadEvent[]): UploadState =>
  events.reduce(nextUploadState, { name: "idle" } as UploadState);
const progress = (loaded: number, total = 200): UploadEvent => ({ type: "progress", loaded, total });

test("S-21 idle, reading, uploading, complete: only forward, and the progress never decreases", () => {
  expect(run()).toEqual({ name: "idle" });
  expect(run({ type: "send" })).toEqual({ name: "idle" });
  expect(run({ type: "read" })).toEqual({ name: "reading" });
  expect(run({ type: "read" }, { type: "done" }, progress(100))).toEqual({ name: "reading" });
  const sent: UploadEvent[] = [{ type: "read" }, { type: "send" }];
  expect(run(...sent)).toEqual({ name: "uploading", percent: 0 });
  expect(run(...sent, progress(101), { type: "read" }, progress(20))).toEqual({
    name: "uploading",
    percent: 50,
  });
  expect(run(...sent, progress(300))).toEqual({ name: "uploading", percent: 100 });
  expect(run(...sent, progress(1, 0))).toEqual({ name: "uploading", percent: 0 });
  expect(run(...sent, { type: "done" })).toEqual({ name: "complete" });
});

test("S-21 M-33 it may fail or be aborted at any time, and a final state stays", () => {
  const steps: UploadEvent[] = [{ type: "read" }, { type: "send" }, progress(10)];
  for (let count = 0; count <= steps.length; count++) {
    const before = steps.slice(0, count);
    const error = { name: "error", sentence: "Couldn't upload file: hut.png." };
    expect(run(...before, FAILED)).toEqual(error);
    expect(run(...before, FAILED, { type: "abort" }, { type: "done" })).toEqual(error);
    expect(run(...before, { ...FAILED, sentence: "The image is damaged." })).toEqual({
      name: "error",
      sentence: "The image is damaged.",
    });
    // An abort shows nothing: a later failure is no error.
    expect(run(...before, { type: "abort" }, FAILED, { type: "done" })).toEqual({ name: "aborted" });
  }
  expect(run(...steps, { type: "done" }, FAILED)).toEqual({ name: "complete" });
});
