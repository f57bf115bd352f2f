/**
 * Reads the account of a person.
 * @tool
 * @param key - Key of the account.
 */
export function getAccount(key: string): string {
  return key;
}

/** Throws a booking away. @tool @param booking Number of the booking. */
export function deleteBooking(booking: string): string {
  return booking;
}
