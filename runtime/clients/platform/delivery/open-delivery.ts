import { deliveryToLog } from "./delivery-to-log.ts";
import type { Delivery, DeliveryConfig } from "./delivery-to-log.ts";

/** The delivery that the configuration asks for; what talks to a sidecar is loaded only where there is one. */
export async function openDelivery(config: DeliveryConfig): Promise<Delivery> {
  if (config.platformBaseUrl === undefined || config.flags.testWithoutSidecar) return deliveryToLog(config);
  return (await import("./delivery.ts")).createDelivery(config);
}
