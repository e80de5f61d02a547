// Stands between the root and every page without a path of its own: what fails inside is shown inside the frame, and
// the document with its styles stays as it is (the root's own boundary has to draw it anew).
import { Outlet } from "@remix-run/react";

export { PageErrorBoundary as ErrorBoundary } from "~/components/layout/error-boundary";

export default function InFrame() {
  return <Outlet />;
}
