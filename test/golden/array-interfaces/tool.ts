/** As type-fest and many others write it. */
export type JsonValue = string | number | boolean | null | JsonObject | JsonArray;
interface JsonObject {
  [key: string]: JsonValue | undefined;
}
interface JsonArray extends Array<JsonValue> {}
interface Dates extends ReadonlyArray<Date> {}
interface Scores extends Map<string, number> {}
class Tagged extends Array<string> {
  first(): string | undefined {
    return this[0];
  }
}

/** @schema urn:example:schema.array-interfaces.1 */
export interface Request {
  json: JsonValue;
  dates: Dates;
  scores: Scores;
  own: Tagged;
}

/**
 * Takes array interfaces.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
