// The processor time of a local server, which other processes do not lengthen.
import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds used by every workerd below the process `pid`, from /proc, in steps of 10. */
export function workerdTime(pid) {
  const children = new Map();
  const stats = new Map();
  for (const name of readdirSync("/proc").filter((one) => /^\d+$/.test(one))) {
    try {
      const [, own, rest] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${name}/stat`, "utf8")) ?? [];
      const fields = rest.split(" ");
      stats.set(Number(name), { own, ms: (Number(fields[11]) + Number(fields[12])) * 10 });
      children.set(Number(fields[1]), [...(children.get(Number(fields[1])) ?? []), Number(name)]);
    } catch {}
  }
  const sum = (id) => {
    const { own, ms } = stats.get(id) ?? { own: "", ms: 0 };
    return (
      (own === "workerd" ? ms : 0) + (children.get(id) ?? []).reduce((all, child) => all + sum(child), 0)
    );
  };
  return sum(pid);
}
