/** Parses. @tool */
export function parse(text: string): string;
export function parse(count: number): number;
export function parse(value: string | number): string | number {
  return value;
}

type Overloaded = { (a: string): string; (a: number): number };
/** Has them in its type. @tool */
export const typed: Overloaded = (a: never) => a;
