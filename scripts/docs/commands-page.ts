import { commands } from "../../cli/command-list.ts";
import { type CommandHelp, formatHelp } from "../../cli/base/usage.ts";
import { helpText } from "../../runtime/service/config/help-text.ts";

const loaded = await Promise.all(Object.values(commands).map(({ load }) => load()));
const helps = await Promise.all(
  loaded.flatMap(({ help, parts = {} }) => [help, ...Object.values(parts).map(async (load) => (await load()).help)]),
);

/** Every command with its options, as `--help` prints it. */
export function commandsPage(): string {
  const intro = `<!-- Made by \`npm run docs\` from the tables of the commands. Do not edit. -->

# Options of every command

What \`tenon <command> --help\` and a service's own \`--help\` print. [Command line and flags](command-line.md) tells what they are for.
Exit codes: 0, 1 when a command could not do its work, 2 for a mistake on the command line,
141 when the program that reads the output has ended, such as \`head\`.`;
  const sections = helps.flatMap((help) => (help === undefined ? [] : [section(nameOf(help), formatHelp(help))]));
  const services = [
    section("A service that listens (`startLambdaServer`)", helpText("node dist/service.mjs [flags]", "lambda")),
    section("A batch service (`startBatchService`)", helpText("node dist/service.mjs [flags]", "batch")),
  ];
  return `${[intro, ...sections, ...services].join("\n\n")}\n`;
}

function section(title: string, text: string): string {
  return `## ${title}\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}

/** `tenon call` of `tenon call <tool> [options]`. */
function nameOf({ usage }: CommandHelp): string {
  return `\`${usage.split(/ [<[]/, 1)[0] ?? usage}\``;
}
