// Lists all your logs, and adds up their amounts by goal and week. It needs a key with `read`.
//   SITE=https://… KEY=bth_… node list.mjs
const { SITE, KEY } = process.env;

async function* allLogs() {
  let after = null;
  do {
    const query = new URLSearchParams({ limit: "100", ...(after ? { after } : {}) });
    const answer = await fetch(`${SITE}/api/my/logs?${query}`, {
      headers: { Authorization: `Bearer ${KEY}` },
    });
    const data = await answer.json();
    if (!answer.ok) throw new Error(`${data.error_code}: ${data.message}`);
    yield* data.serverData.logs;
    // Use the cursor instead of a page number: a new log would move rows to another page.
    after = data.serverData.next;
  } while (after !== null);
}

/** The Monday of the week. `day` is the day in your time zone, `YYYY-MM-DD`. */
function mondayOf(day) {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

/** The status of a finished log. */
const DONE = 2;
const totals = new Map();
let count = 0;
for await (const { goal, day, amount, status } of allLogs()) {
  count++;
  if (status !== DONE) continue;
  const key = `${mondayOf(day)} ${goal?.title ?? "without a goal"}`;
  totals.set(key, (totals.get(key) ?? 0) + (amount ?? 0));
}
for (const [key, total] of [...totals].sort()) console.log(`${key}: ${total}`);
console.log(`${count} logs`);
