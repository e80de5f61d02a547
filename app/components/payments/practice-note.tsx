// States that the practice provider moves no money (B-20).
import { Notice } from "~/components/ui/notice";

export const PracticeNote = () => (
  <Notice title="Practice payments">
    No money moves here. Try the card 4242 4242 4242 4242 (pays), 4000 0000 0000 0002 (is declined) or 4000
    0025 0000 3155 (asks for confirmation), any future date and any three digits.
  </Notice>
);
