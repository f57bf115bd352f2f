import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Stands for a bank and a carrier: writes down each effect with its key, as an outside system would. */
export async function book(effect: string, key: string): Promise<Date> {
  appendFileSync(process.env["LEDGER"] ?? "ledger.txt", `${effect} ${key}\n`);
  await sleep(Number(process.env["SLOW"] ?? 0));
  return new Date();
}
