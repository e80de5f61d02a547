// The text of an email with its URLs as links.
import { linkClass } from "~/components/ui/text-link";

const URL_PATTERN = /(https?:\/\/[^\s<>"]+)/;

export const MailText = ({ text }: { text: string }) => (
  <p className="break-words whitespace-pre-line">
    {text.split(URL_PATTERN).map((piece, index) =>
      URL_PATTERN.test(piece) ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never move.
        <a key={index} href={piece} className={linkClass}>
          {piece}
        </a>
      ) : (
        piece
      ),
    )}
  </p>
);
