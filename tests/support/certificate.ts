// A certificate of localhost for servers of tests: self-signed, for two days, with a key of its own.
import { generateKeyPairSync, sign } from "node:crypto";

const DAY = 86_400_000;

/** A value of ASN.1 in DER: tag, length, content. */
function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}
const sequence = (...content: Buffer[]) => der(0x30, ...content);
const objectId = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const text = (tag: number, value: string) => der(tag, Buffer.from(value));
const time = (at: number) => text(0x17, `${new Date(at).toISOString().replace(/\D/g, "").slice(2, 14)}Z`);
const extension = (id: string, value: Buffer) => sequence(objectId(id), der(0x04, value));
const pem = (label: string, bytes: Buffer) =>
  `-----BEGIN ${label}-----\n${bytes.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END ${label}-----\n`;

export function localhostCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = sequence(objectId("2a8648ce3d040302"));
  const name = sequence(der(0x31, sequence(objectId("550403"), text(0x0c, "localhost"))));
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(Date.now() - DAY), time(Date.now() + DAY)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(
      0xa3,
      sequence(
        extension("551d13", sequence(der(0x01, Buffer.from([0xff])))),
        extension("551d11", sequence(text(0x82, "localhost"))),
      ),
    ),
  );
  const signature = sign("sha256", signed, privateKey);
  const certificate = sequence(signed, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: pem("CERTIFICATE", certificate),
  };
}
