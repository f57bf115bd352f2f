import { join } from "node:path";
import { buildService } from "./build-service.ts";
import { atMost, type Figure } from "./figure.ts";
import { firstAnswer } from "./lines-load.ts";
import { interleave, type Samples } from "./rounds.ts";

const server = (name: string): string => join(import.meta.dirname, `../servers/${name}`);

/** MCP over standard input and output: from the start of the process to the first answer. */
export async function measureLines(isQuick: boolean): Promise<readonly Figure[]> {
  type Commands = Readonly<Record<string, readonly string[]>>;
  const tenon = [process.execPath, buildService(2), "--with-mcp-stdio"];
  const fast: Commands = {
    "bare node": [process.execPath, server("bare-lines.mjs")],
    tenon,
  };
  const slow: Commands = {
    "SDK 2.x": [process.execPath, server("sdk-v2.ts"), "1", "stdio"],
    "SDK 1.x": [process.execPath, server("sdk-v1.ts"), "1", "stdio"],
    fastmcp: [process.execPath, server("fastmcp.ts"), "1", "stdio"],
  };
  const plain = [process.execPath, buildService(2, { codeCache: false }), "--with-mcp-stdio"];
  const starts = (commands: Commands, count: number): Promise<Samples<"ms">> =>
    interleave(
      Object.entries(commands).map(([name, command]) => ({
        name,
        sample: async () => ({ ms: await firstAnswer(command) }),
      })),
      { rounds: count },
    );
  const start = await starts({ ...fast, "tenon, without compiled code": plain }, isQuick ? 3 : 21);
  const slowStart = await starts(slow, isQuick ? 1 : 3);
  return [
    {
      id: "mcp-stdio-start",
      name: "From the start of the process to the first answer over stdio",
      unit: "ms",
      better: "lower",
      rows: [...start.rows("ms"), ...slowStart.rows("ms")],
      goals: [atMost(1.3, "tenon ÷ bare", start.ratio("ms", "tenon", "bare node"))],
    },
  ];
}
