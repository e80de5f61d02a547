// Long content folded at 300 px (U-46, U-50). Without JavaScript all of it shows; the button causes no layout shift.
import clsx from "clsx";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";

const FOLD_PX = 300;

export function ReadMore({ children, className }: { children: ReactNode; className?: string }) {
  const id = useId();
  const contentRef = useRef<HTMLDivElement>(null);
  const [isTall, setIsTall] = useState(false);
  const [isOpen, setIsOpen] = useState(false);

  useEffect(() => {
    const content = contentRef.current;
    if (!content) return;
    const measure = () => setIsTall(content.scrollHeight > FOLD_PX + 1);
    const observer = new ResizeObserver(measure);
    observer.observe(content);
    for (const child of content.children) observer.observe(child);
    measure();
    return () => observer.disconnect();
  }, []);

  return (
    <div className={clsx("relative", className)}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a focused link inside unfolds the content. */}
      <div
        ref={contentRef}
        id={id}
        className={clsx("read-more", isOpen && "is-open", isTall && "is-tall")}
        onFocus={(event) => {
          const content = contentRef.current;
          if (!content || isOpen) return;
          const bottom = event.target.getBoundingClientRect().bottom - content.getBoundingClientRect().top;
          if (bottom > FOLD_PX) setIsOpen(true);
        }}
      >
        {children}
      </div>
      {isTall && (
        <div className={clsx(isOpen ? "pt-1" : "absolute inset-x-0 bottom-0")}>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen(!isOpen)}
            className="more-link"
          >
            {isOpen ? "Read Less" : "Read More"}
          </button>
        </div>
      )}
    </div>
  );
}
