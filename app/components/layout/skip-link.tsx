// The first stop of the keyboard: past the header, to what the page is about.
export function SkipLink() {
  return (
    <a
      href="#main"
      className="sr-only z-80 rounded-md bg-ember px-4 py-3 font-semibold text-on-ember focus:not-sr-only focus:fixed focus:start-3 focus:top-3"
    >
      Skip to content
    </a>
  );
}
