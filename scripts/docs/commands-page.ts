import * as adopt from "../../cli/commands/adopt.ts";
import * as build from "../../cli/commands/build.ts";
import * as call from "../../cli/commands/call.ts";
import * as check from "../../cli/commands/check.ts";
import * as client from "../../cli/commands/client.ts";
import * as dev from "../../cli/commands/dev.ts";
import * as generate from "../../cli/commands/generate.ts";
import * as init from "../../cli/commands/init.ts";
import * as install from "../../cli/commands/install.ts";
import * as inspect from "../../cli/commands/inspect.ts";
import * as pack from "../../cli/commands/pack.ts";
import * as queue from "../../cli/commands/queue.ts";
import * as schedules from "../../cli/commands/schedules.ts";
import * as store from "../../cli/commands/store.ts";
import * as artifacts from "../../cli/platform/artifacts.ts";
import * as jobs from "../../cli/platform/jobs.ts";
import * as redrive from "../../cli/platform/redrive.ts";
import * as replay from "../../cli/platform/replay.ts";
import * as serve from "../../cli/platform/serve.ts";
import * as submit from "../../cli/platform/submit.ts";
import * as watch from "../../cli/platform/watch.ts";
import { type CommandHelp, formatHelp } from "../../cli/base/usage.ts";
import { helpText } from "../../runtime/service/config/help-text.ts";

const commands: readonly { readonly help: CommandHelp }[] = [
  dev,
  build,
  generate,
  check,
  inspect,
  call,
  client,
  queue,
  schedules,
  store,
  install,
  pack,
  adopt,
  init,
  serve,
  submit,
  jobs,
  watch,
  artifacts,
  redrive,
  replay,
];

/** Every command with its options, as `--help` prints it. */
export function commandsPage(): string {
  const intro = `<!-- Made by \`npm run docs\` from the tables of the commands. Do not edit. -->

# Options of every command

What \`tenon <command> --help\` and a service's own \`--help\` print. [Command line and flags](command-line.md) tells what they are for.
Exit codes: 0, 1 when a command could not do its work, 2 for a mistake on the command line,
141 when the program that reads the output has ended, such as \`head\`.`;
  const sections = commands.map(({ help }) => section(nameOf(help), formatHelp(help)));
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
