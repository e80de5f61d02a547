// A software passkey that answers like a browser: a P-256 key, no attestation, and its own counter.
const encode = (text: string) => new TextEncoder().encode(text);
const sha256 = async (bytes: Uint8Array<ArrayBuffer>) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=/g, "");
const fromBase64url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));

const [PRESENT, VERIFIED, HAS_KEY] = [0x01, 0x04, 0x40];

/** r and s of an ECDSA signature as two DER integers. */
function asDer(raw: Uint8Array): Uint8Array {
  const integer = (bytes: Uint8Array) => {
    const from = bytes.findIndex((byte) => byte !== 0);
    const short = [...bytes.subarray(from)];
    const value = (short[0] ?? 0) >= 0x80 ? [0, ...short] : short;
    return [0x02, value.length, ...value];
  };
  const body = [...integer(raw.subarray(0, 32)), ...integer(raw.subarray(32))];
  return new Uint8Array([0x30, body.length, ...body]);
}

export async function makeAuthenticator(origin: string) {
  const rpId = new URL(origin).hostname;
  const keys = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const jwk = (await crypto.subtle.exportKey("jwk", keys.publicKey)) as JsonWebKey;
  const credentialId = crypto.getRandomValues(new Uint8Array(16));
  const id = base64url(credentialId);
  const state = { counter: 0, isVerified: true };

  const clientData = (type: string, challenge: string) =>
    encode(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authData = async (extra: Uint8Array) => {
    const flags = PRESENT | (state.isVerified ? VERIFIED : 0) | (extra.length > 0 ? HAS_KEY : 0);
    const counter = new Uint8Array(4);
    new DataView(counter.buffer).setUint32(0, state.counter);
    return new Uint8Array([...(await sha256(encode(rpId))), flags, ...counter, ...extra]);
  };
  return {
    id,
    /** The flags and counter of the next signature. */
    state,
    async create(options: { challenge: string }) {
      const coordinate = (text = "") => [...fromBase64url(text)];
      const cose = [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20, ...coordinate(jwk.x)];
      const key = [...cose, 0x22, 0x58, 0x20, ...coordinate(jwk.y)];
      const data = await authData(
        new Uint8Array([...new Uint8Array(16), 0, credentialId.length, ...credentialId, ...key]),
      );
      const text = (word: string) => [0x60 + word.length, ...encode(word)];
      const attestation = [
        ...[0xa3, ...text("fmt"), ...text("none"), ...text("attStmt"), 0xa0, ...text("authData")],
        ...[0x59, data.length >> 8, data.length & 0xff, ...data],
      ];
      return {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientData("webauthn.create", options.challenge)),
          attestationObject: base64url(new Uint8Array(attestation)),
          transports: ["internal"],
        },
      };
    },
    async get(options: { challenge: string }) {
      const data = await authData(new Uint8Array());
      const client = clientData("webauthn.get", options.challenge);
      const signed = new Uint8Array([...data, ...(await sha256(client))]);
      const raw = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, keys.privateKey, signed);
      return {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(asDer(new Uint8Array(raw))),
        },
      };
    },
  };
}
