import { deliveryToLog, type Delivery, type DeliveryConfig } from "./delivery-to-log.ts";

/** Opens the delivery for a configuration. The code for a sidecar is loaded only when there is one. */
export async function openDelivery(config: DeliveryConfig): Promise<Delivery> {
  if (config.platformBaseUrl === undefined || config.flags.testWithoutSidecar) return deliveryToLog(config);
  return (await import("./delivery.ts")).createDelivery(config);
}
