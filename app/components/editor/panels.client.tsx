// Panels for inserting links and images. They are inside another form, so they contain no form and no named fields, and
// Enter does not submit.

import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { TextInput } from "~/components/ui/inputs";
import { writeImageSource } from "~/domain/rich-text";
import { isEnter } from "~/hooks/form/enter-key";
import { canInsertImage, imageAddress, linkAddress } from "./addresses";

const IMAGE_TYPES = "image/jpeg,image/png,image/gif,image/bmp,image/webp,image/tiff";
const MEASURE_TIMEOUT_MS = 8000;

type PanelProps = { label: string; onClose: () => void; onEnter: () => void; children: ReactNode };

function Panel({ label, onClose, onEnter, children }: PanelProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLFieldSetElement>) => {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      onClose();
    }
    if (isEnter(event) && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      onEnter();
    }
  };
  return (
    <fieldset className="editor-panel" aria-label={label} onKeyDown={onKeyDown}>
      {children}
    </fieldset>
  );
}

type LinkPanelProps = { href: string | null; onLink: (href: string | null) => void; onClose: () => void };

export function LinkPanel({ href, onLink, onClose }: LinkPanelProps) {
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState("");
  useEffect(() => input.current?.select(), []);
  const submitLink = () => {
    const address = linkAddress(input.current?.value ?? "");
    if (address === null) {
      setError("Please give a web address, such as https://example.com.");
      input.current?.focus();
    } else onLink(address);
  };
  return (
    <Panel label="Link" onClose={onClose} onEnter={submitLink}>
      <Field label="Link address" error={error} className="grow basis-60">
        <TextInput
          ref={input}
          defaultValue={href ?? ""}
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={submitLink}>
          {href === null ? "Add link" : "Change link"}
        </Button>
        {href !== null && <Button onClick={() => onLink(null)}>Remove link</Button>}
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Panel>
  );
}

type ImagePanelProps = {
  onFiles: (files: File[]) => void;
  onImage: (image: { src: string; alt: string }) => void;
  onClose: () => void;
};

export function ImagePanel({ onFiles, onImage, onClose }: ImagePanelProps) {
  const fileInput = useRef<HTMLInputElement>(null);
  const uploadButton = useRef<HTMLButtonElement>(null);
  const [typedAddress, setTypedAddress] = useState("");
  const [alt, setAlt] = useState("");
  const [error, setError] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => uploadButton.current?.focus(), []);
  const insert = async () => {
    if (!canInsertImage(typedAddress) || isBusy) return;
    const src = imageAddress(typedAddress);
    if (src === null) return setError("Please give the https address of an image.");
    setIsBusy(true);
    const size = await measure(src);
    setIsBusy(false);
    if (size === null) setError("We could not find an image at this address.");
    else onImage({ src: writeImageSource({ src, size, shown: 100 }), alt });
  };
  return (
    <Panel label="Image" onClose={onClose} onEnter={() => void insert()}>
      <input
        ref={fileInput}
        type="file"
        accept={IMAGE_TYPES}
        multiple
        hidden
        aria-label="Images to upload"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          if (files.length > 0) onFiles(files);
        }}
      />
      <div className="flex w-full flex-wrap items-center gap-3">
        <Button ref={uploadButton} variant="primary" onClick={() => fileInput.current?.click()}>
          Upload from this device
        </Button>
        <span className="text-sm text-soft">Or drop or paste an image into the text. Up to 10 MB.</span>
      </div>
      <Field label="Image address" error={error} className="grow basis-60">
        <TextInput
          value={typedAddress}
          onChange={(event) => setTypedAddress(event.target.value)}
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
        />
      </Field>
      <Field label="Image description" className="grow basis-60">
        <TextInput value={alt} onChange={(event) => setAlt(event.target.value)} autoComplete="off" />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button disabled={!canInsertImage(typedAddress)} isLoading={isBusy} onClick={() => void insert()}>
          Insert image
        </Button>
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Panel>
  );
}

/** The size in pixels, so that the page can reserve the space; null if the image could not be shown. */
function measure(src: string): Promise<{ width: number; height: number } | null> {
  return new Promise((resolve) => {
    const image = new Image();
    const timeout = setTimeout(() => resolve(null), MEASURE_TIMEOUT_MS);
    const finish = (size: { width: number; height: number } | null) => {
      clearTimeout(timeout);
      resolve(size);
    };
    image.referrerPolicy = "no-referrer";
    image.onload = () => finish({ width: image.naturalWidth, height: image.naturalHeight });
    image.onerror = () => finish(null);
    image.src = src;
  });
}
