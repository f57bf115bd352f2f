/** A tool's answer on any front: a wire value or a file. */
export type Answer = { readonly json: unknown } | { readonly bytes: Uint8Array };

/** A call in the demonstration of `npm start`. */
export interface Demonstration {
  readonly tool: string;
  readonly request: object;
  /** Describes the answer in one line; throws when it is wrong. */
  readonly describe: (answer: Answer) => string;
}

export const demonstrations: readonly Demonstration[] = [
  { tool: "isPrime", request: { number: 997 }, describe: verdict },
  { tool: "mapGeneOntology", request: { ids: ["P12345", "Q9H0H5"], category: "BP" }, describe: terms },
  { tool: "waveFunctionCollapse", request: { width: 24, height: 16, attempts: 3, seed: 71 }, describe: picture },
];

function verdict(answer: Answer): string {
  const { number, isPrime } = json(answer) as { readonly number?: unknown; readonly isPrime?: unknown };
  if (number !== 997 || isPrime !== true) throw new Error(`997 is prime, but the answer was ${JSON.stringify(answer)}`);
  return `${number} is prime`;
}

function terms(answer: Answer): string {
  const { results } = json(answer) as {
    readonly results?: Readonly<Record<string, readonly { readonly goId: string }[]>>;
  };
  const lines = Object.entries(results ?? {}).map(([id, found]) => `${id} ${found.map(({ goId }) => goId).join(" ")}`);
  if (!lines.some((line) => line.startsWith("P12345 GO:0006103"))) {
    throw new Error(`P12345 has the term GO:0006103, but the answer was ${JSON.stringify(answer)}`);
  }
  return lines.join("; ");
}

/** Reads the size from the file's own header. */
function picture(answer: Answer): string {
  if (!("bytes" in answer)) throw new Error(`A picture was expected, but the answer was ${JSON.stringify(answer)}`);
  const file = Buffer.from(answer.bytes);
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  if (file.toString("latin1", 1, 4) !== "PNG" || width !== 24 * 16 || height !== 16 * 16) {
    throw new Error("the picture is not a PNG of 384 × 256 pixels");
  }
  return `PNG, ${width} × ${height} pixels, ${file.length.toLocaleString("en")} bytes`;
}

function json(answer: Answer): object {
  if ("json" in answer && typeof answer.json === "object" && answer.json !== null) return answer.json;
  throw new Error(
    `A JSON object was expected, but the answer was ${"bytes" in answer ? "a file" : JSON.stringify(answer.json)}`,
  );
}
