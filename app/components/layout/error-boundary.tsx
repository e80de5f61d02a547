// The error boundary of the routes. Browsers load the error page only when a page fails; offline they get a fallback.
import { useRouteError } from "@remix-run/react";
import { Suspense } from "react";
import { FallbackErrorPage } from "./fallback-error-page";
import { later } from "./later";

const ErrorPage = later(() =>
  import("./error-page").then(
    (page) => page.ErrorPage,
    () => FallbackErrorPage,
  ),
);

export function PageErrorBoundary() {
  const error = useRouteError();
  return (
    <Suspense>
      <ErrorPage error={error} />
    </Suspense>
  );
}
