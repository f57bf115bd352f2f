import { cpus, loadavg, totalmem } from "node:os";

/** The machine and how busy it is, for the foot of a table; given the line of the start, with both loads. */
export function machineLine(before?: string): string {
  const [first] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const start = before === undefined ? "" : `${before.split("load ").pop() ?? ""} → `;
  const load = loadavg()[0]?.toFixed(1) ?? "?";
  return `${cpus().length} × ${first?.model.trim() ?? "unknown processor"}, ${gigabytes} GB, ${process.platform}, Node ${process.versions.node}, load ${start}${load}`;
}
