// Loads what the worker imports during a request. Two requests that begin the same import share its promise in the tests,
// and workerd settles no promise of one request in another.
import "#workers/adapters/markdown";
import "#workers/adapters/smtp";
import "#workers/adapters/stripe-payments";
import "#workers/api";
import "@block65/webcrypto-web-push";
import "@simplewebauthn/server";
import "ical-generator";
import "otpauth";
import "uqr";
import "~/use-cases/common-passwords.server";
import "~/use-cases/series-dates.server";
import { ask } from "./ask";

// The worker has loaded the calls before a test sends several at once.
await ask("/api/my/goals");
