import {
  type CompiledTool,
  compilerReaders,
  describeTool,
  estimateTokens,
  listableTools,
  longestInstructions,
  toolSearchDescriptors,
  toolTokens,
} from "../../plugin/index.ts";
import { compileAll } from "../build/compile-entry.ts";
import { paint, printJson, say } from "../base/output.ts";
import { type Arguments, CommandError, UsageError, type CommandHelp, withArguments } from "../base/usage.ts";

const stages = ["model", "schema", "module", "mcp"] as const;
type Stage = (typeof stages)[number];

export const help: CommandHelp = {
  usage: "tenon inspect [tool] [--stage STAGE] [options]",
  summary: `Prints the generated stages of a tool: ${stages.join(", ")}; without a stage, a summary. Without a tool, what their list costs a model, and the instructions of the service.`,
  options: {
    stage: { type: "string", value: "STAGE", help: `${stages.join(", ")}` },
    entry: { type: "string", value: "FILE", help: "entry of the service, default src/service.ts" },
    json: { type: "boolean", help: "print the summary as JSON" },
  },
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 1, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const [name] = given.positionals;
  const stage = given.text("stage");
  if (name === undefined && stage !== undefined) throw new UsageError(`Name the tool. Usage: ${help.usage}`);
  if (stage !== undefined && !isStage(stage))
    throw new UsageError(`There is no stage ${stage}. Stages: ${stages.join(", ")}`);
  const { tools, service } = await compileAll(given.text("entry"), { derivesUrns: true, quiet: true });
  if (name === undefined) {
    tellList(
      tools.filter(({ definition }) => definition.kind === undefined),
      service?.definition.instructions,
      given.flag("json"),
    );
    return 0;
  }
  const tool = tools.find(({ model }) => model.name === name);
  if (tool === undefined) {
    const names = tools.map(({ model }) => model.name).join(", ");
    throw new CommandError(`There is no tool ${JSON.stringify(name)}.${names === "" ? "" : ` Tools: ${names}`}`);
  }
  const { definition, model, code } = tool;
  const descriptor = describeTool(definition, service?.definition.name ?? "");
  if (stage === "model") printJson(model);
  else if (stage === "schema")
    printJson({ request: definition.request?.schema ?? null, result: definition.result.schema ?? null });
  else if (stage === "mcp") printJson(descriptor);
  else if (stage === "module") process.stdout.write(`${code}\n`);
  else {
    const tokens = estimateTokens(JSON.stringify(descriptor));
    const schedules = await Promise.all((definition.schedules ?? []).map(upcoming));
    const summary = {
      name,
      signature: definition.signature,
      source: definition.source,
      tokens,
      generatedBytes: Buffer.byteLength(code),
      ...(schedules.length > 0 && { schedules }),
      ...(definition.limit !== undefined && { limit: definition.limit }),
      ...(definition.rate !== undefined && { rate: definition.rate }),
      ...(definition.debounce !== undefined && { debounce: definition.debounce }),
      ...(definition.priorities !== undefined && { priorities: definition.priorities }),
    };
    if (given.flag("json")) printJson(summary);
    else {
      say(`${paint("bold", definition.signature)}\n${definition.description}\n`);
      say(`source     ${definition.source}`);
      say(`tokens     about ${tokens} in an agent's tool list`);
      say(`generated  ${summary.generatedBytes} bytes before minification`);
      if (definition.limit !== undefined) say(`limit      ${limitText(definition.limit)}`);
      if (definition.rate !== undefined) say(`rate       ${rateText(definition.rate)}`);
      if (definition.debounce !== undefined) say(`debounce   ${debounceText(definition.debounce)}`);
      for (const priority of definition.priorities ?? []) say(`priority   ${priorityText(priority)}`);
      for (const { cron, zone, next, changes } of schedules) {
        say(`schedule   "${cron}" ${zone}: ${next.join(", ")} …`);
        for (const { kind, from, to } of changes) {
          const fate = kind === "twice" ? "comes twice: fires the first time only" : "is left out: fires at its end";
          say(`           ${from} to ${to.slice(11)} ${fate}`);
        }
      }
    }
  }
  return 0;
}

/** Describes a concurrency limit, and its cost, in words. */
function limitText({ jobs, per, beyond }: NonNullable<CompiledTool["definition"]["limit"]>): string {
  const many = `${jobs} ${jobs === 1 ? "job" : "jobs"} at a time${per === undefined ? "" : ` for each ${per}`}`;
  const others = { wait: "others wait", refuse: "others are refused", replace: "a newer one cancels the oldest" }[
    beyond
  ];
  return `${many}, ${others}; every call is stored`;
}

/** Describes a rate limit, and its cost, in words. */
function rateText({ starts, each, per, burst, beyond }: NonNullable<CompiledTool["definition"]["rate"]>): string {
  const many = `${starts} ${starts === 1 ? "start" : "starts"}/${each}${per === undefined ? "" : ` for each ${per}`}`;
  const atOnce = burst === 1 ? "one after the other" : `up to ${burst} at once after a pause`;
  return `${many}, ${atOnce}, ${beyond === "wait" ? "others wait" : "others are refused"}; every call is stored`;
}

/** Describes a debounce, and its cost, in words. */
function debounceText({ seconds, most, per }: NonNullable<CompiledTool["definition"]["debounce"]>): string {
  const end = most === undefined ? "" : `, ${most} s after the first one at most`;
  return `the last request of ${seconds} s${per === undefined ? "" : ` for each ${per}`} runs${end}; every call is stored`;
}

/** Describes a head start, and its cost, in words. */
function priorityText({ seconds, when, is }: NonNullable<CompiledTool["definition"]["priorities"]>[number]): string {
  return `as if it had come ${seconds} s earlier when ${when} is ${JSON.stringify(is)}; every call is stored`;
}

/** The next firings of a schedule, and the clock changes that affect it. */
async function upcoming({ cron, zone }: { readonly cron: string; readonly zone: string }) {
  const now = Date.now();
  const [{ nextFirings }, { metChanges }] = await Promise.all([
    compilerReaders.firings(),
    compilerReaders.clockChanges(),
  ]);
  const next = nextFirings({ cron, zone }, now, 3).map((at) => new Date(at).toISOString());
  return { cron, zone, next, changes: metChanges({ cron, zone }, now) };
}

/**
 * Reports the size of `tools/list` in a model's context, as a full list and with search tools, and the instructions
 * that some hosts show instead.
 */
function tellList(tools: readonly CompiledTool[], text: string | undefined, isJson: boolean): void {
  const each = tools.map(({ definition }) => ({
    name: definition.name,
    tokens: toolTokens(definition),
  }));
  const list = each.reduce((sum, { tokens }) => sum + tokens, 0);
  const loaded = tools
    .filter(({ model }) => model.alwaysLoad === true)
    .map(({ definition }) => describeTool(definition));
  const search = estimateTokens(JSON.stringify([...loaded, ...toolSearchDescriptors(tools.length)]));
  const instructions =
    text === undefined ? undefined : { bytes: Buffer.byteLength(text), tokens: estimateTokens(text) };
  if (isJson) {
    printJson({
      tools: each,
      tokens: { list, search },
      ...(text !== undefined && { instructions: { ...instructions, text } }),
    });
    return;
  }
  for (const { name, tokens } of each.toSorted((a, b) => b.tokens - a.tokens)) {
    say(`${String(tokens).padStart(7)}  ${name}`);
  }
  say(`${paint("bold", String(list).padStart(7))}  all ${tools.length}, about, in an agent's tool list`);
  const use = tools.length > listableTools ? "" : `, which needs more than ${listableTools} tools`;
  say(`${String(search).padStart(7)}  with TENON_TOOL_SEARCH=true${use}`);
  if (text === undefined || instructions === undefined) return;
  say(
    `${String(instructions.tokens).padStart(7)}  instructions, ${instructions.bytes} of ${longestInstructions} bytes:`,
  );
  say(`\n${text}`);
}

function isStage(text: string): text is Stage {
  return (stages as readonly string[]).includes(text);
}
