// Pushes in a browser: turned on by a press, shown by the service worker, opened at our own origin.
import { expect, test } from "@playwright/test";
import { register } from "./fixtures";

test.use({ serviceWorkers: "allow" });

