// The meta tags of the preview image that a shared link shows.
import { useShell } from "~/hooks/use-shell";

export function LinkPreviewMeta() {
  const { origin } = useShell();
  return (
    <>
      <meta property="og:image" content={`${origin}/social-card.png`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content="One timer for everybody: a hut at dusk, a light in its window" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
