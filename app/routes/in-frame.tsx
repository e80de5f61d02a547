// A layout between the root and every other page: an error inside is shown inside the frame, and the document with its
// styles stays (the root's own boundary would render it again).
import { Outlet } from "@remix-run/react";

export { PageErrorBoundary as ErrorBoundary } from "~/components/layout/error-boundary";

export default function InFrame() {
  return <Outlet />;
}
