// A client of a local server that keeps cookies and sends the XSRF token, like a browser.
export function callerOf(url) {
  const jar = new Map();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const keep = (answer) => {
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name) jar.set(name, value);
    }
  };
  const call = async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        Cookie: cookie(),
        Origin: url,
        "Content-Type": "application/json",
        "X-XSRF-TOKEN": decodeURIComponent(jar.get("XSRF-TOKEN") ?? ""),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    keep(answer);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? null : JSON.parse(text);
  };
  return { cookie, keep, call };
}
