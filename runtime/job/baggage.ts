// Printable ASCII, which every header can have, up to the length that every participant must pass on.
const baggageShape = /^[\x20-\x7e]{1,8192}$/;

/** Returns the header `baggage`, or undefined for a text that cannot be sent as a header. */
export function legalBaggage(header: unknown): string | undefined {
  const list = Array.isArray(header) ? header.join(",") : header;
  return typeof list === "string" && list !== "" && baggageShape.test(list) ? list : undefined;
}
