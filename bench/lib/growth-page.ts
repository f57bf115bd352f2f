import { bendText } from "./curves.ts";
import type { Report } from "./script.ts";
import { markdownTable } from "./table.ts";

/** `docs/growth.md`: each curve as a plot, where it bends, and its values. */
export function growthPage({ machine, figures }: Report): string {
  const sections = figures.map((figure) => {
    const [heading = "", , plot = "", , ...table] = markdownTable(figure).split("\n");
    const bends = (figure.curves ?? []).map((curve) => `- ${bendText(curve, figure.axis ?? "")}`);
    return [heading, "", plot, "", ...bends, "", ...table].join("\n");
  });
  return `# Growth

How cost grows with size. Both axes of the plots are logarithmic, so a straight line is a power of the size. A line
under a plot says where the curve bends: where it is farthest from the line between its ends. What each costs at a usual
size is on the page [benchmarks](benchmarks.md), how to make it less on the page [performance](performance.md).

${sections.join("\n\n")}

\`npm run bench -- growth\` on ${machine}
`;
}
