// The preview image of every shared link.
import { useShell } from "~/hooks/use-shell";

export function SharedPicture() {
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
