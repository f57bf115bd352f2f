import { BinaryResult } from "tenon";

/** Text. @tool */
export function text(): string {
  return "";
}
/** One of some texts. @tool */
export async function word(): Promise<"b" | "a"> {
  return "a";
}
/** Bytes. @tool */
export function bytes(): Uint8Array {
  return new Uint8Array();
}
/** A buffer. @tool */
export async function buffer(): Promise<Buffer> {
  return Buffer.of();
}
/** A file. @tool */
export async function file(): Promise<BinaryResult> {
  return new BinaryResult("", "text/plain");
}
/** Nothing. @tool */
export async function nothing(): Promise<void> {}
/** Nothing either. @tool */
export function undef(): undefined {}
/** Always throws. @tool */
export function fails(): never {
  throw new Error("no");
}
/** Null. @tool */
export function nil(): null {
  return null;
}
/** A number or a list. @tool */
export function either(): number | Date[] {
  return 1;
}
/** A date. @tool */
export function date(): Date {
  return new Date(0);
}
/** Inferred. @tool */
export async function inferred() {
  return [{ a: 1, b: "x" as "x" | "y" }];
}
/** A promise, or not. @tool */
export function maybe(): Promise<number> | number {
  return 1;
}
