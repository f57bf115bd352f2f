import { type Claimed, choiceOf, type Contradiction } from "./claims.ts";

const quoted = /(?<![\w`"'])(?:`([^`\n]{1,40})`|"([^"\n]{1,40})"|'([^'\n]{1,40})')(?![\w`"'])/g;
/** Matches the separator between two values of an enumeration in a text. */
const separator = /^(?:\s*[,|/]\s*(?:or\s+|and\s+)?|\s+(?:or|and)\s+)$/;

/** Finds a quoted value that is not among the choices, but is listed in the text together with values of the choice. */
export function choice({ type, text, names }: Claimed): Contradiction | undefined {
  const values = choiceOf(type)?.filter((value) => typeof value === "string");
  if (values === undefined || values.length < 2) return undefined;
  for (const row of rowsOf(text)) {
    const stranger = row.find((value) => !values.includes(value));
    const others = row.filter((value) => values.includes(value));
    const isName = stranger !== undefined && (names.has(stranger) || /^(?:null|undefined|true|false)$/.test(stranger));
    if (stranger === undefined || others.length === 0 || isName) continue;
    return { said: `\`${stranger}\``, is: `one of ${shown(values)}` };
  }
  return undefined;
}

/** Finds rows of quoted values that follow one another in an enumeration. */
function rowsOf(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let end = -1;
  for (const match of text.matchAll(quoted)) {
    const value = match[1] ?? match[2] ?? match[3] ?? "";
    const isNext = end >= 0 && separator.test(text.slice(end, match.index));
    if (isNext) rows.at(-1)?.push(value);
    else rows.push([value]);
    end = match.index + match[0].length;
  }
  return rows.filter(({ length }) => length > 1);
}

function shown(values: readonly string[]): string {
  const names = values.slice(0, 5).map((value) => `\`${value}\``);
  return values.length > 5 ? `${names.join(", ")} and ${values.length - 5} more` : names.join(", ");
}
