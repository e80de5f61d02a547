// Email addresses as they are stored and compared: a domain outside ASCII in punycode. Pure.

/** A host that IDNA may change. Any other host stays as typed, and the rule of addresses refuses it. */
const HOST = /^[\p{L}\p{M}\p{N}.\-\u3002\uff0e\uff61]+$/u;
const ASCII = /^[ -~]*$/;

/** `ann@exämple.de` → `ann@xn--exmple-cua.de`; an address that has no such form stays as typed. */
export function asciiAddress(address: string): string {
  const atIndex = address.lastIndexOf("@");
  const host = address.slice(atIndex + 1);
  if (atIndex === -1 || ASCII.test(host) || !HOST.test(host) || !URL.canParse(`http://${host}`))
    return address;
  const { hostname } = new URL(`http://${host}`);
  // A host of digits would become an IP address.
  return /^[\d.]+$/.test(hostname) ? address : `${address.slice(0, atIndex)}@${hostname}`;
}
