// Library code that the worker never reaches (decision 72). workerd reads every chunk when it starts, also those that
// load later.
import { basename } from "node:path";
import type { Plugin } from "vite";
import { type Edit, edited } from "./unused-library-code";

/** The resources of Stripe that workers/adapters/stripe-payments.ts asks for. */
export const STRIPE_RESOURCES = [
  "Customers",
  "Disputes",
  "Events",
  "InvoicePayments",
  "PaymentIntents",
  "PaymentMethods",
  "Prices",
  "Products",
  "Refunds",
  "Subscriptions",
];
const STRIPE = "/node_modules/stripe/esm/resources/";

const WEBAUTHN = "/node_modules/@simplewebauthn/server/esm/";
const EDITS: Record<string, Edit[]> = {
  // Browsers take out what a maker says about its device, because a registration asks for none. Reading it takes the
  // certificates of all makers and 180 kB.
  [`${WEBAUTHN}registration/verifyRegistrationResponse.js`]: [
    [
      /verified = await verifyAttestation(?:FIDOU2F|AndroidSafetyNet|AndroidKey|TPM|Apple)\(verifierOpts\);/g,
      'throw new Error("Statements of a maker are not read.");',
    ],
    [/const rootCertificates = .+;/, "const rootCertificates = [];"],
  ],
  [`${WEBAUTHN}registration/verifications/verifyAttestationPacked.js`]: [
    [
      /if \(x5c\) \{[\s\S]+?\n {4}\}\n {4}else \{/,
      'if (x5c) throw new Error("Statements of a maker are not read.");\n    else {',
    ],
  ],
  [`${WEBAUTHN}helpers/verifySignature.js`]: [
    [
      "convertX509PublicKeyToCOSE(x509Certificate);",
      '(() => { throw new Error("Certificates are not read."); })();',
    ],
  ],
  // Markdown is read here and never written.
  "/node_modules/remark-gfm/lib/index.js": [["  toMarkdownExtensions.push(gfmToMarkdown(settings))\n", ""]],
};

/** Resources of Stripe that this build has read. */
const kept = new Set<string>();

export const unusedServerCode: Plugin = {
  name: "unused-server-code",
  enforce: "pre",
  transform(code, id) {
    const [, resource] = id.split(STRIPE);
    const name = resource?.replace(/\.js$/, "");
    if (name !== undefined && STRIPE_RESOURCES.includes(name)) kept.add(name);
    else if (name !== undefined) {
      const classes = [...code.matchAll(/^export class (\w+)/gm)].map(([, one]) => `export class ${one} {}`);
      return { code: ["export {};", ...classes].join("\n"), map: null };
    }
    const edits = Object.entries(EDITS).find(([file]) => id.endsWith(file))?.[1];
    if (!edits && !id.includes(WEBAUTHN)) return;
    // Without its unused imports, the packages that read certificates are left out.
    return { code: edited(basename(id), code, edits ?? []), map: null, moduleSideEffects: false };
  },
  generateBundle() {
    const missing = STRIPE_RESOURCES.filter((name) => !kept.has(name));
    if (missing.length > 0) throw new Error(`Stripe has moved its ${missing.join(", ")}.`);
  },
};
