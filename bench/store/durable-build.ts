import { buildFolder } from "../lib/build-service.ts";
import { atMost, type Figure } from "../lib/figure.ts";
import { interleave } from "../lib/rounds.ts";
import { durableProject } from "./durable-service.ts";

const tools = 100;

/** Builds of the same tools, whose three calls each are kept as steps or not. */
export async function buildFigure(rounds: number): Promise<Figure> {
  const names = { steps: "with three steps each", plain: "without steps" } as const;
  const samples = await interleave(
    (["steps", "plain"] as const).map((kind) => {
      const folder = durableProject(`durable-build-${kind}`, tools, kind);
      return {
        name: names[kind],
        sample: () => {
          const began = performance.now();
          buildFolder(folder, "dist/cli/main.js");
          return { ms: performance.now() - began };
        },
      };
    }),
    { rounds },
  );
  return {
    id: "durable-build",
    name: `Build of ${tools} tools by tenon build, whole process`,
    unit: "ms",
    better: "lower",
    rows: samples.rows("ms"),
    goals: [atMost(1.02, `${names.steps} ÷ ${names.plain}`, samples.ratio("ms", names.steps, names.plain))],
  };
}
