import { cpus, loadavg, totalmem } from "node:os";

/**
 * Describes the machine and its load, for the footer of a table. Given the line from the start, it shows both loads.
 */
export function machineLine(before?: string): string {
  const [first] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const start = before === undefined ? "" : `${before.split("load ").pop() ?? ""} → `;
  const load = loadavg()[0]?.toFixed(1) ?? "?";
  return `${cpus().length} × ${first?.model.trim() ?? "unknown processor"}, ${gigabytes} GB, ${process.platform}, Node ${process.versions.node}, load ${start}${load}`;
}
