// The processor time of local servers and of other processes, from /proc in steps of 10 ms.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** The server and the load have a core each; null on a machine with a single core. */
export const CORES = availableParallelism() > 1 ? { server: 0, load: 1 } : { server: null, load: null };

/** Keeps this process, and those that it starts, on one core. */
export function pinTo(core) {
  if (core === null) return;
  execFileSync("taskset", ["-a", "-c", "-p", String(core), String(process.pid)], { stdio: "ignore" });
}

/** The process `pid` and those below it: name, used milliseconds, and milliseconds since the machine's start. */
function processesBelow(pid) {
  const children = new Map();
  const stats = new Map();
  for (const id of readdirSync("/proc").filter((one) => /^\d+$/.test(one))) {
    try {
      const [, name, rest] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${id}/stat`, "utf8")) ?? [];
      const fields = rest.split(" ").map(Number);
      stats.set(Number(id), { id, name, used: (fields[11] + fields[12]) * 10, begun: fields[19] * 10 });
      children.set(fields[1], [...(children.get(fields[1]) ?? []), Number(id)]);
    } catch {}
  }
  const below = (id) => [
    ...(stats.has(id) ? [stats.get(id)] : []),
    ...(children.get(id) ?? []).flatMap((child) => below(child)),
  ];
  return below(pid);
}

/** Milliseconds used by the process `pid` and those below it; with `name`, only by those of this name. */
const timeBelow = (pid, name = null) =>
  processesBelow(pid)
    .filter((one) => name === null || one.name === name)
    .reduce((sum, { used }) => sum + used, 0);

/** Milliseconds since the first process of this name below `pid` began. */
export function ageBelow(pid, name) {
  const now = Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]) * 1000;
  return now - Math.min(...processesBelow(pid).flatMap((one) => (one.name === name ? [one.begun] : [])));
}

/** Milliseconds used by every workerd below the process `pid`. */
export const workerdTime = (pid) => timeBelow(pid, "workerd");

/** Resident memory of the processes of this name below `pid`, in MB. */
export const memoryBelow = (pid, name) =>
  processesBelow(pid)
    .filter((one) => one.name === name)
    .map(({ id }) => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1]))
    .reduce((sum, kilobytes) => sum + kilobytes / 1024, 0);

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
