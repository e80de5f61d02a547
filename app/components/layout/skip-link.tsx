// The first Tab stop: a link past the header to the content.
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
