// The checks of the history checker: each anomaly is a sentence.

/** `lines` is the whole chat from the server; `db` its database; `clients` hold their requests and received lines. */
export function checkHistory(db, session, clients, lines) {
  return [
    ...checkOrder(lines),
    ...checkHands(clients),
    ...clients.flatMap((client) => checkHeard(client, lines)),
    ...clients.flatMap((client) => checkAcknowledged(client, lines)),
    ...clients.flatMap((client) => client.conflicts.map((conflict) => `one key, two answers: ${conflict}`)),
    ...clients.flatMap((client) => checkKeys(db, client)),
    ...checkSeats(db, session, clients),
    ...checkLedger(db),
  ];
}

/** Checks that all screens show the raised hands in the same order (J-05). */
function checkHands([first, ...others]) {
  const line = first.line().join(", ");
  return others.flatMap((client) =>
    client.line().join(", ") === line
      ? []
      : [`hands: ${client.person.name} shows ${client.line().join(", ")}, ${first.person.name} ${line}`],
  );
}

/** One total order: every `seq` and every nonce once, ascending. */
function checkOrder(lines) {
  const found = [];
  for (const [at, line] of lines.entries())
    if (at > 0 && line.seq <= lines[at - 1].seq) found.push(`line ${line.seq} follows ${lines[at - 1].seq}`);
  if (new Set(lines.map(({ content }) => content)).size !== lines.length)
    found.push("a line is stored twice");
  return found;
}

/** A client receives each line once, in order, with none missing between its first and its last. */
function checkHeard(client, lines) {
  const name = client.person.name;
  const found = [];
  const bySeq = new Map(lines.map((line) => [line.seq, line]));
  for (const [at, { seq, content }] of client.heard.entries()) {
    const before = client.heard[at - 1];
    if (before && seq <= before.seq) found.push(`${name} heard ${seq} after ${before.seq}`);
    if (bySeq.get(seq)?.content !== content)
      found.push(`${name} heard another line ${seq} than the room stores`);
  }
  if (client.gaps > 0 || client.heard.length === 0) return found;
  const seqs = new Set(client.heard.map(({ seq }) => seq));
  const [first, last] = [client.heard[0].seq, client.heard.at(-1).seq];
  for (const { seq } of lines)
    if (seq >= first && seq <= last && !seqs.has(seq)) found.push(`${name} missed line ${seq}`);
  if (lines.at(-1) && last !== lines.at(-1).seq) found.push(`${name} never heard the last line`);
  return found;
}

function checkAcknowledged(client, lines) {
  const stored = new Set(lines.map(({ content }) => content));
  return [...client.acknowledged].flatMap((nonce) =>
    stored.has(client.said.get(nonce)) ? [] : [`${client.person.name}: acknowledged line ${nonce} is lost`],
  );
}

/** Each key acts once after a success, and never after a refusal. */
function checkKeys(db, client) {
  const counts = {
    log: db.prepare("SELECT count(*) AS n FROM logs WHERE user_id = ? AND title = ?"),
    note: db.prepare("SELECT count(*) AS n FROM notes WHERE user_id = ? AND title = ?"),
  };
  return [...client.keyed].flatMap(([key, { kind, status }]) => {
    if (!(kind in counts)) return [];
    const { n } = counts[kind].get(client.person.id, key);
    const wanted = status < 300 ? 1 : 0;
    return n === wanted
      ? []
      : [`${client.person.name}: ${kind} ${key} answered ${status} and acted ${n} times`];
  });
}

/** At most one seat per person, a seat for everybody whose join succeeded, and a matching counter. */
function checkSeats(db, session, clients) {
  const rows = db
    .prepare("SELECT user_id AS id, count(*) AS n FROM participants WHERE session_id = ? GROUP BY 1")
    .all(session);
  const seats = new Map(rows.map(({ id, n }) => [id, n]));
  const { n } = db.prepare("SELECT participants_count AS n FROM sessions WHERE id = ?").get(session);
  return [
    ...rows.flatMap(({ id, n }) => (n > 1 ? [`user ${id} has ${n} seats`] : [])),
    ...clients.flatMap(({ person, hasSeat }) =>
      hasSeat === seats.has(person.id)
        ? []
        : [`${person.name}: seat ${seats.has(person.id)}, told ${hasSeat}`],
    ),
    ...(n === rows.length ? [] : [`the session counts ${n} seats of ${rows.length}`]),
  ];
}

/** `remaining` = `granted` + the lot's entries, and nothing below 0 (B-12). */
function checkLedger(db) {
  return db
    .prepare(
      `SELECT l.id, l.granted, l.remaining, coalesce((SELECT sum(amount) FROM token_entries WHERE lot_id = l.id), 0) AS moved
       FROM token_lots l`,
    )
    .all()
    .flatMap(({ id, granted, remaining, moved }) =>
      remaining === granted + moved && remaining >= 0
        ? []
        : [`lot ${id}: ${remaining} remain of ${granted} after ${moved}`],
    );
}
