// Logs progress on a goal, and creates the goal first if you have none with that title. It needs a key with `read` and
// `write`.
//   SITE=https://… KEY=bth_… node log.mjs "Read" 12 pages
const { SITE, KEY } = process.env;
const [title = "Read", amount = "1", unit = "pages"] = process.argv.slice(2);

async function call(method, path, body) {
  const answer = await fetch(SITE + path, {
    method,
    headers: {
      Authorization: `Bearer ${KEY}`,
      "Content-Type": "application/json",
      // A second write with the same key has no effect, so a write whose answer was lost can be sent again.
      ...(body ? { "Idempotency-Key": crypto.randomUUID() } : {}),
    },
    body: body && JSON.stringify(body),
  });
  const data = await answer.json();
  if (!answer.ok) throw new Error(`${data.error_code}: ${data.message}`);
  return data;
}

const { serverData } = await call("GET", `/api/my/goals?q=${encodeURIComponent(title)}`);
const goal =
  serverData.goals.find((candidate) => candidate.title === title) ??
  (await call("POST", "/api/goals/store", { title, unit })).goal;
const { log } = await call("POST", "/api/logs/store-quick-log", { goal_id: goal.id, amount: Number(amount) });
console.log(`${title}: ${log.amount} ${goal.unit} on ${log.day}`);
