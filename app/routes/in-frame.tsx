// A layout between the root and the pages, so that an error replaces only the page inside the frame. The root's own
// boundary would render the whole document again.
import { Outlet } from "@remix-run/react";

export { PageErrorBoundary as ErrorBoundary } from "~/components/layout/error-boundary";

export default function InFrame() {
  return <Outlet />;
}
