/** @schema urn:example:schema.booking.1 */
export interface Booking {
  /** Mail address of the guest. */
  guest: string;
  /** First night. @format date */
  from: string;
  /** Number of nights. */
  nights: number;
  /** Number of beds. */
  beds: number;
  /** A cot is needed. */
  cot: boolean;
  /** Words to the house. */
  message: string;
}

/**
 * Books a room in the guest house.
 * @tool
 */
export function bookRoom({ guest }: Booking): string {
  return guest;
}
