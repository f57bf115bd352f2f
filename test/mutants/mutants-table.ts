import type { RoomOutcome } from "./try-room.ts";

const begin = "<!-- made by npm run mutants -- --write -->";
const end = "<!-- end of mutants -->";

/** Numbers of a room's sample. */
export function figuresOf({ room, all, trials }: RoomOutcome) {
  const count = (outcome: string): number => trials.filter(({ verdict }) => verdict.outcome === outcome).length;
  const [noticed, survived] = [count("noticed"), count("survived")];
  const share = noticed + survived === 0 ? 1 : noticed / (noticed + survived);
  return {
    room: room.name,
    all,
    tried: noticed + survived,
    noticed,
    survived,
    equivalent: count("equivalent"),
    refused: count("refused"),
    isEnough: share >= room.share,
  };
}

/** The samples of the rooms as a table of Markdown. */
export function mutantsTable(outcomes: readonly RoomOutcome[], seed: number): string {
  const rows = outcomes.map((outcome) => {
    const { room, all, tried, noticed, equivalent, refused } = figuresOf(outcome);
    const percent = tried === 0 ? "–" : `${((100 * noticed) / tried).toFixed(0)} %`;
    return `| \`${room}\` | ${all} | ${tried} | ${noticed} | ${percent} | ${equivalent} | ${refused} |`;
  });
  return [
    "| Room | Mutations that the rules make | Tried | Noticed | Share | Drawn, but equivalent | Drawn, but refused by the compiler |",
    "|---|---|---|---|---|---|---|",
    ...rows,
    "",
    `${new Date().toISOString().slice(0, 10)}, seed ${seed}.`,
  ].join("\n");
}

/** The page with the table between its marks. */
export function withMutants(page: string, table: string): string {
  const [start, stop] = [page.indexOf(begin), page.indexOf(end)];
  if (start < 0 || stop < start) throw new Error("docs/security.md has no marks for the table of mutants.");
  return `${page.slice(0, start)}${begin}\n\n${table}\n\n${page.slice(stop)}`;
}
