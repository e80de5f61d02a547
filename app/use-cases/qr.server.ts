// QR codes as the path of an SVG (Q-32, G-37).
import { encode } from "uqr";
import type { QrCode } from "~/domain/sessions/view";

export async function qrOf(text: string): Promise<QrCode> {
  // Scanners expect four light modules around the code.
  const { size, data } = encode(text, { ecc: "M", border: 4 });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  return { size, path };
}
