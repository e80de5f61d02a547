// The error page as boundaries use it: in the server's HTML at once; in the browser a chunk that only a failing page
// loads, with a bare one in its place where even that cannot be fetched.
import { useRouteError } from "@remix-run/react";
import { Suspense } from "react";
import { BareError } from "./bare-error";
import { later } from "./later";

const ErrorPage = later(() =>
  import("./error-page").then(
    (page) => page.ErrorPage,
    () => BareError,
  ),
);

export function PageError() {
  const error = useRouteError();
  return (
    <Suspense>
      <ErrorPage error={error} />
    </Suspense>
  );
}
