// The processor time of local servers and of other processes, from /proc in steps of 10 ms.
import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds used by the process `pid` and those below it; with `name`, by those of this name alone. */
export function timeBelow(pid, name = null) {
  const children = new Map();
  const stats = new Map();
  for (const id of readdirSync("/proc").filter((one) => /^\d+$/.test(one))) {
    try {
      const [, own, rest] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${id}/stat`, "utf8")) ?? [];
      const fields = rest.split(" ");
      stats.set(Number(id), { own, ms: (Number(fields[11]) + Number(fields[12])) * 10 });
      children.set(Number(fields[1]), [...(children.get(Number(fields[1])) ?? []), Number(id)]);
    } catch {}
  }
  const sum = (id) => {
    const { own, ms } = stats.get(id) ?? { own: "", ms: 0 };
    const isCounted = name === null || own === name;
    return (isCounted ? ms : 0) + (children.get(id) ?? []).reduce((all, child) => all + sum(child), 0);
  };
  return sum(pid);
}

/** Milliseconds used by every workerd below the process `pid`. */
export const workerdTime = (pid) => timeBelow(pid, "workerd");

/** Busy milliseconds of all cores, time that the hypervisor took included. */
function busyTime() {
  const [, user, nice, system, , , irq, softirq, steal] = readFileSync("/proc/stat", "utf8")
    .split("\n", 1)[0]
    .split(/\s+/)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) * 10;
}

/**
 * Watches a server and this process as its load. The returned function gives the milliseconds since, those of the
 * server, and how much of one core the load and all other processes had.
 */
export function watch(serverPid) {
  const look = () => ({
    at: performance.now(),
    busy: busyTime(),
    server: timeBelow(serverPid),
    load: Object.values(process.cpuUsage()).reduce((a, b) => a + b) / 1000,
  });
  const before = look();
  return () => {
    const after = look();
    const [ms, server, load] = ["at", "server", "load"].map((name) => after[name] - before[name]);
    const others = Math.max(0, after.busy - before.busy - server - load);
    return { ms, server, load: load / ms, others: others / ms };
  };
}
