import { builds } from "./builds.ts";
import type { Known } from "./promise.ts";
import { stepsOf } from "./run-cell.ts";
import { allWays, nodes, serves, stores, valuesOf, withoutStore, type Cell } from "./ways.ts";

/** Results of a run by cell: the reason of a red one, undefined for a green one. */
export type Results = readonly (Cell & { readonly reason?: string | undefined })[];

/** `docs/ways.md`: promises as rows, ways as columns. */
export function waysPage(promises: ReadonlyMap<string, Known>, results: Results): string {
  const reasons: string[] = [];
  const noteOf = (reason: string): string => {
    if (!reasons.includes(reason)) reasons.push(reason);
    return `– <sup>${reasons.indexOf(reason) + 1}</sup>`;
  };
  const byPromise = Map.groupBy(results, ({ promise }) => promise);
  const table = (title: string, columns: readonly string[]): string => {
    const rows = [...promises].map(([promise, known]) => {
      const own = byPromise.get(promise) ?? [];
      const cells = columns.map((column) => {
        const here = own.filter(({ way }) => valuesOf(way).includes(column));
        const red = here.filter(({ reason }) => reason !== undefined).length;
        if (red > 0) return `**${red} red**`;
        if (here.length > 0) return String(here.length);
        return noteOf(reasonOf(known, column));
      });
      return `| ${promise.replaceAll("|", "\\|")} | ${cells.join(" | ")} |`;
    });
    return [
      `## ${title}`,
      "",
      `| Promise | ${columns.join(" | ")} |`,
      `|---|${columns.map(() => "---|").join("")}`,
      ...rows,
    ].join("\n");
  };
  const tables = [
    table("By build", Object.keys(builds)),
    table("By way of serving", serves),
    table("By store and Node", [...stores, ...nodes]),
  ];
  const red = results.filter(({ reason }) => reason !== undefined).length;
  const ways = new Set(results.map(({ way }) => valuesOf(way).join())).size;
  return `<!-- Made by \`npm run ways\`. Do not edit. -->

# Every promise in every way

${promises.size} promises of the documentation, tried in ${ways} of the ${allWays.length} ways to build, to serve and to store, on the oldest
and on today's Node: ${results.length} trials, of which ${red} have failed (red). A number says in how many ways with the value of its
column the promise was tried and kept. A dash has its reason below. Each build starts in an empty folder with the packed
package, by the configuration that [README](../README.md) and [bundlers](bundlers.md) print, and real clients call its
output. The promises are in the folders of \`test/promises/cases\`. \`npm run ways\` tries all ways. \`npm test\` tries a
selection of them in which every pair of values occurs, such as a bundler with a store.

${tables.join("\n\n")}

## Reasons

${reasons.map((reason, index) => `${index + 1}. ${reason[0]?.toUpperCase()}${reason.slice(1)}.`).join("\n")}

Stores make no difference to some ways of serving: ${Object.entries(withoutStore)
    .map(([serve, reason]) => `${serve} (${reason})`)
    .join("; ")}.
`;
}

/** The reason why no way with a value is for a promise; the first, where there are several. */
function reasonOf(known: Known, value: string): string {
  for (const way of allWays) {
    if (!valuesOf(way).includes(value)) continue;
    const steps = stepsOf(known, way);
    if (typeof steps === "string") return steps;
  }
  return "not tried in this run";
}
