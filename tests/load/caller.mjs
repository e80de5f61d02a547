// Clients of a local server that keep cookies and send the XSRF token, like a browser.
export function callerOf(url, send = fetch) {
  const jar = new Map();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const keep = (answer) => {
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name) jar.set(name, value);
    }
  };
  const call = async (method, path, body) => {
    const answer = await send(url + path, {
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

/** A client with the login of `account`. */
export async function signedIn(url, { email, password }) {
  const caller = callerOf(url);
  await caller.call("GET", "/sanctum/csrf-cookie");
  await caller.call("POST", "/login", { email, password });
  return caller;
}

/** A client with the login of a new account. */
export async function signedUp(url, username, send = fetch) {
  const caller = callerOf(url, send);
  await caller.call("GET", "/sanctum/csrf-cookie");
  await caller.call("POST", "/register", {
    name: username,
    first_name: "",
    last_name: "",
    email: `${username}@example.com`,
    username,
    password: "a long walk to the hut",
    password_confirmation: "a long walk to the hut",
  });
  return { username, ...caller };
}
