// The error boundary of the routes.
import { useRouteError } from "@remix-run/react";
import { ErrorPage } from "./error-page";

export const PageErrorBoundary = () => <ErrorPage error={useRouteError()} />;
