// A QR code, dark on white in both themes, because scanners expect it.
import clsx from "clsx";

export const QrCode = ({
  qr,
  label,
  className = "size-52",
}: {
  qr: { size: number; path: string };
  label: string;
  className?: string;
}) => (
  <svg
    role="img"
    aria-label={label}
    viewBox={`0 0 ${qr.size} ${qr.size}`}
    shapeRendering="crispEdges"
    className={clsx("mt-2 max-w-full rounded-md border border-line", className)}
  >
    <rect width={qr.size} height={qr.size} fill="#fff" />
    <path d={qr.path} fill="#000" />
  </svg>
);
