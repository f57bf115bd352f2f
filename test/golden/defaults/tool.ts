/** @schema urn:example:schema.defaults.1 */
export interface Request {
  /** @default 5 */
  count?: number;
  /** @default fast */
  mode?: "fast" | "exact";
  /** @default `plain text` */
  text: string;
  /** @default "quoted" */
  quoted?: string;
  /** @default 5 */
  digits?: string;
  /** @default null */
  nothing?: string | null;
  /** @defaultValue [1, 2] */
  list?: number[];
  /** @default { a: 1 } */
  object?: { a: number };
  /** @default true @example false */
  flag?: boolean;
  /** @example abc @example "d e" */
  words: string;
}

/**
 * Takes defaults.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
