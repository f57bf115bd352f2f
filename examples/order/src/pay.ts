import type { JobContext } from "tenon";
import { book } from "./ledger.ts";

/** @schema urn:example:schema.order.pay.request.1 */
export interface PayRequest {
  /** Number of the order. */
  order: string;
  /** Items to ship. @minItems 1 */
  items: string[];
}

/** @schema urn:example:schema.order.pay.result.1 */
export interface Receipt {
  /** When the order was paid. */
  paid: Date;
  /** When each item was shipped. */
  shipped: Map<string, Date>;
  /** Somebody has approved it; otherwise the money was given back. */
  approved: boolean;
}

/** The decision of somebody else than the caller. */
export interface Approval {
  /** The order is fine. */
  approved: boolean;
}

/**
 * Pays an order, ships its items, waits for an approval and for a day.
 * @tool
 * @retry 5 1s..1m
 */
export async function pay(request: PayRequest, job: JobContext): Promise<Receipt> {
  const paid = await job.step("charge", ({ idempotencyKey }) => book(`charge ${request.order}`, idempotencyKey));
  const shipped = new Map<string, Date>();
  for (const item of request.items) {
    const at = await job.step("ship", { key: item }, ({ idempotencyKey }) => book(`ship ${item}`, idempotencyKey));
    shipped.set(item, at);
  }
  const { approved } = await job.wait<Approval>("approval", { within: "3 days" });
  if (!approved) await job.step("refund", ({ idempotencyKey }) => book(`refund ${request.order}`, idempotencyKey));
  await job.sleep((process.env["COOLING"] ?? "1 day") as "1 day");
  return { paid, shipped, approved };
}
