import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** Writes a trace, unless it differs from the one that is there only in its times, which are lengths of bars, too. */
export function keepTrace(file: string, picture: string): void {
  const bare = (text: string): string => text.replaceAll(/[\d.]+/g, "");
  if (bare(readPicture(file)) !== bare(picture)) writeFileSync(file, picture);
}

/** Writes the picture of a terminal. A row that differs only in durations and times of the day stays as it is. */
export function keepTerminal(file: string, picture: string): void {
  const bare = (row: string): string =>
    row.replaceAll(/\b\d\d:\d\d:\d\d\b/g, "").replaceAll(/(?<= |>)[\d.]+ m?s\b/g, "");
  const known = new Map(
    readPicture(file)
      .split("\n")
      .map((row) => [bare(row), row]),
  );
  const rows = picture.split("\n").map((row) => known.get(bare(row)) ?? row);
  writeFileSync(file, rows.join("\n"));
}

function readPicture(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
