// Creates a session, starts it, follows it and ends it. It needs a key with `read`, `write` and `host`.
//   SITE=https://… KEY=bth_… node session.mjs "Morning pages" 3
const { SITE, KEY } = process.env;
const [title = "Morning pages", seconds = "3"] = process.argv.slice(2);
const STATUS = ["waiting", "running", "ended"];

async function call(method, path, body) {
  const answer = await fetch(SITE + path, {
    method,
    headers: { Authorization: `Bearer ${KEY}`, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const data = await answer.json();
  if (!answer.ok) throw new Error(`${data.error_code}: ${data.message}`);
  return data;
}

const { challenge_event: session, path } = await call("POST", "/challenge-events", {
  title,
  duration: 3600,
  is_manually_started: 1,
});
console.log(`${SITE}${path}`);
const read = async () => (await call("GET", `/api/sessions/${session.id}`)).serverData.session;
console.log(STATUS[(await read()).status]);
await call("POST", `/challenge-events/${session.id}/start`, {});
console.log(STATUS[(await read()).status]);
await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000));
await call("POST", `/challenge-events/${session.id}/end`, {});
console.log(STATUS[(await read()).status]);
