import { hostile, hostileTexts } from "./hostile-console-project.ts";
import { primeFiles } from "./prime-project.ts";

/** A picture that would run scripts and ask another host, were it a document. */
export const drawingText =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="parent.ran=1"><script>parent.ran=2</script>' +
  '<image href="https://elsewhere.example.org/x.png" width="9" height="9"/><rect width="40" height="30" fill="teal"/></svg>';

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Part of the name of a group. */
const categoryHostile = "<img src=x onerror=window.ran=9>";

const fields = Array.from({ length: 30 }, (_, index) => `  /** Number ${index}. */\n  field${index}: number;`).join(
  "\n",
);

const tools = `import { existsSync } from "node:fs";
import { BinaryResult, Content, ValueError, getLogger, type JobContext } from "tenon";
import { price } from "./price.js";

export interface Long {
${fields}
}
/** Adds thirty numbers. @tool */
export function long(request: Long): { sum: number } {
  return { sum: Object.values(request).reduce((sum: number, one: number) => sum + one, 0) };
}

/**
 * Answers with **all** kinds of [content](https://example.org/content).
 * @tool
 * @category Pictures ${categoryHostile}
 */
export function gallery(): (string | Content)[] {
  return [
    "# Two plots\\n\\nThe *first* and the **second**.",
    Content.image(Buffer.from("${dot}", "base64"), "image/png"),
    Content.resource("file:///drawing.svg", Buffer.from(${JSON.stringify(drawingText)}), "image/svg+xml"),
    Content.link("https://example.org/more", { name: "more", title: "More of them", description: "On the web." }),
    Content.link("javascript:window.ran=7", { name: "evil" }),
    Content.text(${JSON.stringify(hostile)}),
  ];
}

/**
 * Draws.
 * @tool
 * @category Pictures ${categoryHostile}
 */
export function drawing(): BinaryResult {
  return new BinaryResult(Buffer.from(${JSON.stringify(drawingText)}), "image/svg+xml");
}

/** A sketch as text. @tool */
export function sketch(): string {
  return '<?xml version="1.0"?>\\n' + ${JSON.stringify(drawingText)};
}

/** A sketch in a field. @tool */
export function sketches(): { drawn: string } {
  return { drawn: ${JSON.stringify(drawingText)} };
}

export interface Line {
  sku: string;
  count: number;
}
export interface Order {
  /** @title Number of the order */
  id: number;
  orderedAt: Date;
  /** Ordered things. @title Lines ${categoryHostile} */
  lines: Line[];
}
export interface Orders {
  /** When the list was made. */
  made: Date;
  remark: string;
  byCustomer: { name: string; orders: Order[] };
}
/** Lists orders. @tool */
export function orders(count: number): Orders {
  const made = new Date("2026-03-01T12:00:00Z");
  const list = Array.from({ length: count }, (_, index) => ({
    id: (index * 7919) % 10007,
    orderedAt: new Date(made.getTime() - index * 86_400_000),
    lines: [{ sku: "A" + index, count: index }],
  }));
  return { made, remark: "- **first**\\n- second", byCustomer: { name: "Ann", orders: list } };
}

/** Lists rows with many fields, of which the last has one more. @tool */
export function wide(count: number): Record<string, string>[] {
  const fields = Array.from({ length: 40 }, (_, index) => ["f" + index, index === 0 ? "2026-02-01" : "O-" + index]);
  const rows = Array.from({ length: count }, () => Object.fromEntries(fields) as Record<string, string>);
  rows.at(-1)!["last"] = "the end";
  rows[0]!["f1"] = "long ".repeat(40) + "whole";
  return rows;
}

/** Lists names and numbers. @tool */
export function names(count: number): { names: string[]; numbers: number[] } {
  const names = Array.from({ length: count }, (_, index) => "name " + index);
  return { names: ${JSON.stringify(hostileTexts.slice(0, 2))}.concat(names), numbers: names.map((_, index) => index / 2) };
}

/** Writes a letter. @tool */
export function letter(): string {
  return "## Dear ${hostileTexts[1].replaceAll('"', String.raw`\"`)}\\n\\n- one\\n- two\\n\\n[link](javascript:window.ran=8)";
}

/** Reports. @tool */
export function report(): string {
  return [
    "Costs of a day:\\n- rent\\n- **food**",
    "| what | how much |\\n|:-----|---------:|\\n| rent | 7 |\\n| a \\\\| b ${hostileTexts[1].replaceAll('"', String.raw`\"`)} | **8** |",
    "> Saved is\\n> > earned.",
    "---",
    "~~Nine~~ in all.",
  ].join("\\n\\n");
}

export interface Booking {
  guest: { name: string; age: number };
}
/** Books. @tool */
export function book({ guest }: Booking): string {
  if (guest.age < 18) throw new ValueError("Guests are at least 18 years old.");
  return guest.name;
}

export interface Choice {
  id: string | number;
  place: [latitude: number, height?: number];
}
/** Chooses. @tool */
export function choose({ id, place }: Choice): Record<string, string>[] {
  return [{ constructor: typeof id }, { count: String(place.length) }];
}

export type Speed =
  /** At once, and dear. */
  | "fast"
  /** Within a week. */
  | "slow";
/** @title By ship */
export interface BySea {
  way: "sea";
  port: string;
}
/** @title By plane */
export interface ByAir {
  way: "air";
  airport: string;
}
export interface Shipment {
  speed: Speed;
  way: BySea | ByAir;
  /** Position of its aim. */
  position: [latitude: number, longitude: number];
  weight: bigint;
  leaves: Date;
  accessToken?: string;
  remarks: string[];
}
/**
 * Ships.
 * @tool
 * @readonly
 */
export function ship(request: Shipment): string {
  return request.speed + " " + request.way.way + " " + String(request.position) + " " + request.remarks.join();
}

/**
 * Ships as before.
 * @tool
 * @destructive
 * @deprecated Call **ship**.
 */
export function send(): string {
  return "sent";
}

export interface Account {
  balance: bigint;
  site: string;
}
/** Shows accounts: see https://example.org/accounts. @tool */
export function ledger(): Account[] {
  return [20n, -3n, 12345678901234567890n].map((balance) => ({
    balance,
    site: "At https://example.org/" + String(balance) + ", or javascript:window.ran=1//",
  }));
}

export interface Rating {
  level: "very low" | "rather low" | "middling" | "rather high" | "very high" | "beyond all measure";
}
/** Rates. @tool */
export function rate({ level }: Rating): string {
  return level;
}

/** Waits for a file. @tool */
export async function linger(file: string, job: JobContext): Promise<string> {
  return job.report.step("look", async () => {
    while (!existsSync(file) && !job.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 10));
    return "found";
  });
}

export interface March {
  $schema: "urn:example:schema.march.1";
  steps: number;
}
/** Takes many steps. @tool */
export async function march(count: number, job: JobContext): Promise<March> {
  for (let step = 0; step < count; step++) await job.report.step("step " + step, async () => {});
  return { $schema: "urn:example:schema.march.1", steps: count };
}

/**
 * Has room for one.
 * @tool
 * @limit 1 refuse
 */
export async function single(file: string, job: JobContext): Promise<string> {
  while (!existsSync(file) && !job.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 10));
  return "found";
}

/** Asks its user. @tool */
export async function wonder(job: JobContext): Promise<boolean> {
  return job.ask<boolean>("Go on?");
}

/** Asks a service twice. @tool */
export async function inquire(url: string, job: JobContext): Promise<number[]> {
  const first = await job.report.step("first", async () => (await fetch(url)).status);
  const second = await fetch(url + "/missing");
  await second.text();
  return [first, second.status];
}

/** Sells. @tool */
export function sell(item: string, job: JobContext): number {
  getLogger("shop").warn({ item, shelf: 3 }, "about to sell");
  return price(item);
}
`;

const price = `/** The price of a thing. */
export function price(item: string): number {
  if (item.startsWith("nothing")) {
    throw new RangeError("No price for " + item);
  }
  return item.length;
}
`;

/** A service whose tools answer with everything that the console shows in a way of its own. */
export const answersFiles: Readonly<Record<string, string>> = {
  ...primeFiles,
  "src/service.ts": (primeFiles["src/service.ts"] ?? "").replace(
    'import "./is-prime.js";',
    'import "./is-prime.js";\nimport "./answers.js";',
  ),
  "src/answers.ts": tools,
  "src/price.ts": price,
};
