import { Service, startBatchService } from "tenon";

/** Sends letters. @tool */
export function send(): string {
  return "sent";
}

await startBatchService(new Service({ name: "Sender" }), send);
