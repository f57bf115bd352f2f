import { mutatedRooms } from "./rooms.ts";
import type { RoomOutcome } from "./try-room.ts";

const begin = "<!-- made by npm run mutants -- --write -->";
const end = "<!-- end of mutants -->";

const head = [
  "| Room | Mutations that the rules make | Tried | Noticed | Share | Drawn, but equivalent | Drawn, but refused by the compiler | Sample |",
  "|---|---|---|---|---|---|---|---|",
];

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

/** The samples of rooms as rows of Markdown, by the name of the room. */
function rowsOf(outcomes: readonly RoomOutcome[], seed: number): ReadonlyMap<string, string> {
  const day = new Date().toISOString().slice(0, 10);
  return new Map(
    outcomes.map((outcome) => {
      const { room, all, tried, noticed, equivalent, refused } = figuresOf(outcome);
      const percent = tried === 0 ? "–" : `${((100 * noticed) / tried).toFixed(0)} %`;
      const cells = [`\`${room}\``, all, tried, noticed, percent, equivalent, refused, `${day}, seed ${seed}`];
      return [room, `| ${cells.join(" | ")} |`];
    }),
  );
}

/** The samples of rooms as a table of Markdown. */
export function mutantsTable(outcomes: readonly RoomOutcome[], seed: number): string {
  return [...head, ...rowsOf(outcomes, seed).values()].join("\n");
}

/** The page with new rows in the table between its marks. Rows of rooms that were not tried stay. */
export function withMutants(page: string, outcomes: readonly RoomOutcome[], seed: number): string {
  const [start, stop] = [page.indexOf(begin), page.indexOf(end)];
  if (start < 0 || stop < start) throw new Error("docs/security.md has no marks for the table of mutants.");
  const old = page.slice(start, stop).split("\n");
  const made = rowsOf(outcomes, seed);
  const rows = mutatedRooms.flatMap(({ name }) => {
    const row = made.get(name) ?? old.find((line) => line.startsWith(`| \`${name}\` |`));
    return row === undefined ? [] : [row];
  });
  return `${page.slice(0, start)}${begin}\n\n${[...head, ...rows].join("\n")}\n\n${page.slice(stop)}`;
}
