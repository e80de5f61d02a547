// Password hashes: scrypt with N=2^14, r=8, p=5 (16 MiB, about 0.2 s), as PHC strings so that the cost can grow. A hash
// at an older cost is renewed at the next login.
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

type Cost = { ln: number; r: number; p: number };
const KEY_BYTES = 32;

/** Compared for an unknown email, so that it takes as long as a known one. */
const DUMMY_HASH = "Zp7pPGRlZCBvZiBub2JvZA$c29tZXRoaW5nIHRoYXQgbm8gcGFzc3dvcmQgZ2l2ZXM";

const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const phcOf = ({ ln, r, p }: Cost, saltAndKey: string) => `$scrypt$ln=${ln},r=${r},p=${p}$${saltAndKey}`;

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replace(/=+$/, "");

function derive(password: string, salt: Uint8Array, { ln, r, p }: Cost, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The same password typed on another system may have another Unicode form.
    scrypt(
      password.normalize("NFKC"),
      salt,
      length,
      { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r },
      (error, key) => (error ? reject(error) : resolve(key)),
    );
  });
}

/** The cost of the hash if it is the password's; otherwise null. */
async function matchCost(password: string, phc: string): Promise<Cost | null> {
  const [, ln, r, p, salt = "", key = ""] = PHC.exec(phc) ?? [];
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  const storedKey = Buffer.from(key, "base64");
  const derived = await derive(password, Buffer.from(salt, "base64"), cost, storedKey.length);
  return timingSafeEqual(derived, storedKey) ? cost : null;
}

/** One object, so that tests can count its calls, and lower the cost where no password is at risk. */
export const passwords = {
  cost: { ln: 14, r: 8, p: 5 } satisfies Cost,

  async hash(password: string): Promise<string> {
    const salt = randomBytes(16);
    const key = await derive(password, salt, this.cost, KEY_BYTES);
    return phcOf(this.cost, `${base64(salt)}$${base64(key)}`);
  },

  /** True for the password of `phc`; null (no such user) takes as long and is always false. */
  async verify(password: string, phc: string | null): Promise<{ isRight: boolean; isOutdated: boolean }> {
    const isReal = phc !== null && PHC.test(phc);
    const cost = await matchCost(password, isReal ? phc : phcOf(this.cost, DUMMY_HASH));
    if (!isReal || cost === null) return { isRight: false, isOutdated: false };
    const { ln, r, p } = this.cost;
    const isOutdated = cost.ln !== ln || cost.r !== r || cost.p !== p;
    return { isRight: true, isOutdated };
  },
};
