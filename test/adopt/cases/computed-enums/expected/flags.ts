import { ValueError } from "tenon";

enum Status {
  Found = 0xc8,
  Missing = Found + 204,
}

/** @schema urn:example:schema.flags.request.1 */
export interface Flags {
  flag: 1 | 2 | 4 | 3;
  start: 3;
  level: string;
}

/**
 * Sets flags.
 * @tool
 */
export function postFlags(input: Flags): unknown {
  const { flag } = input;
  if (flag === 1) throw new ValueError("There is no such flag.");
  return flag;
}
