import { counted, Meter } from "./meter.js";

/** Uses decorated methods.
 * @tool */
export function useDecorators(): number[] {
  const meter = new Meter();
  return [meter.double(4), counted.length];
}
