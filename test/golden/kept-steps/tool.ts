import { getJobContext } from "tenon";
import type { JobContext } from "tenon";

interface Charge {
  id: bigint;
  /** When it was made. */
  at: Date;
  items: { id: string; weight?: number }[];
}

type Tree = { name: string; children: Tree[] };

interface Approval {
  approved: boolean;
}

declare function charge(order: string, key: string): Promise<Charge>;
declare function parcel(item: string): Promise<Set<number> | undefined>;
declare function notify(): Promise<void>;

/**
 * Pays an order.
 * @tool
 * @retry 5 2s..5m
 */
export async function pay(order: string, job: JobContext): Promise<string> {
  const paid = await job.step("charge", { atMostOnce: true }, (step) => charge(order, step.idempotencyKey));
  const parcels = await Promise.all(paid.items.map((item) => job.step("ship", { key: item.id }, () => parcel(item.id))));
  const { approved } = await job.wait<Approval>("approval", { within: "3 days", scope: "orders:approve" });
  await job.wait<string>("note");
  await job.sleep("1 day");
  if (!approved) await job.step("notify", notify);
  return String(parcels.length) + (await helper());
}

async function helper(): Promise<string> {
  const job = getJobContext();
  const tree = await job?.step<Tree>("tree", () => ({ name: "root", children: [] }));
  const other = { step: <T>(name: string, run: () => T): T => run() };
  other.step("not ours", () => 1);
  return tree?.name ?? "";
}

/**
 * Does nothing that is kept.
 * @tool
 */
export function plain(): void {}
