// The text of an email with its URLs as links.
import { linkClass } from "~/components/ui/text-link";

const ADDRESS = /(https?:\/\/[^\s<>"]+)/;

export const MailText = ({ text }: { text: string }) => (
  <p className="break-words whitespace-pre-line">
    {text.split(ADDRESS).map((piece, place) =>
      ADDRESS.test(piece) ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never move.
        <a key={place} href={piece} className={linkClass}>
          {piece}
        </a>
      ) : (
        piece
      ),
    )}
  </p>
);
