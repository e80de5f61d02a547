// Uploads an image and reports its progress. The upload can be aborted at any time (S-21).

import { UPLOAD_LIMIT } from "~/domain/items/images";
import { xsrfToken } from "~/hooks/call-server";
import { madeFor } from "~/hooks/made-for";
import { callPath } from "~/wire/call-path";
import { MADE_FOR_HEADER } from "~/wire/made-for";
import * as paths from "~/wire/paths";
import { nextUploadState, type UploadEvent, type UploadState, uploadFailedSentence } from "./upload-state";

type Uploaded = { url: string; width: number; height: number };
export type Upload = {
  /** The image, or null after a failure or abort. */
  finished: Promise<Uploaded | null>;
  abort: () => void;
};

export function uploadImage(file: File, owner: string, onState: (state: UploadState) => void): Upload {
  const request = new XMLHttpRequest();
  let state: UploadState = { name: "idle" };
  const dispatch = (event: UploadEvent): void => {
    const next = nextUploadState(state, event);
    if (next === state) return;
    state = next;
    onState(state);
  };
  const fail = (sentence?: string): void => dispatch({ type: "fail", fileName: file.name, sentence });

  async function run(): Promise<Uploaded | null> {
    dispatch({ type: "read" });
    if (file.size > UPLOAD_LIMIT) {
      fail(`${uploadFailedSentence(file.name)} An image may have up to 10 MB.`);
      return null;
    }
    let bytes: ArrayBuffer;
    try {
      bytes = await file.arrayBuffer();
    } catch {
      fail();
      return null;
    }
    const token = await xsrfToken().catch(() => "");
    if (state.name === "aborted") return null;
    dispatch({ type: "send" });
    const answer = await send(new File([bytes], file.name, { type: file.type }), token);
    if (answer && "url" in answer) {
      dispatch({ type: "done" });
      return state.name === "complete" ? answer : null;
    }
    fail(answer?.sentence);
    return null;
  }

  const send = (body: File, token: string) =>
    new Promise<Uploaded | { sentence?: string } | null>((resolve) => {
      request.upload.onprogress = ({ loaded, total }) => dispatch({ type: "progress", loaded, total });
      request.onload = () => resolve(readAnswer(request));
      request.onerror = () => resolve(null);
      request.ontimeout = () => resolve(null);
      request.onabort = () => resolve(null);
      request.open("POST", callPath(paths.uploadImage[1], { postSlug: owner }));
      request.setRequestHeader("Accept", "application/json");
      request.setRequestHeader("X-CSRF-TOKEN", token);
      const madeForMark = madeFor();
      if (madeForMark !== null) request.setRequestHeader(MADE_FOR_HEADER, madeForMark);
      const form = new FormData();
      form.set("file", body, file.name);
      request.send(form);
    });

  return {
    finished: run(),
    abort: () => {
      dispatch({ type: "abort" });
      request.abort();
    },
  };
}

function readAnswer(request: XMLHttpRequest): Uploaded | { sentence?: string } {
  try {
    const body: unknown = JSON.parse(request.responseText);
    if (request.status === 201) return body as Uploaded;
    const { message: sentence } = body as { message?: string };
    return sentence ? { sentence } : {};
  } catch {
    return {};
  }
}
