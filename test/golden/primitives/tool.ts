/** @schema urn:example:schema.primitives.1 */
export interface Request {
  text: string;
  size: number;
  flag: boolean;
  nothing: null;
  yes: true;
  one: 1;
  minus: -1.5;
  word: "a \"quoted\" word";
  maybe?: string;
  orUndefined: number | undefined;
  orNull: string | null;
  both?: boolean | null;
  readonly fixed: string;
  never?: never;
  gone: undefined;
  "with space": string;
  "quote\"];process.exit()//": string;
  constructor: string;
  1: string;
}

/**
 * Takes primitives.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
