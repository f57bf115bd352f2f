import { instructionsOf } from "../../contract/definition/instructions.ts";
import type { Delivery } from "../../outside/platform/delivery/delivery-to-log.ts";
import type { Executor } from "../../executor/executor.ts";
import type { Service } from "../../service/service.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { createExecutor } from "../../executor/job-executor.ts";
import { createMemoryStore } from "../../executor/store/memory/memory.ts";
import { observePort } from "./port/observe-port.ts";
import type { CallObserver, ObservedCall } from "../../job/call-span.ts";
import { viewOffers } from "./lists/view-offers.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import { jobToolDescriptors } from "./lists/job-tool-descriptors.ts";
import { toolSearchNames } from "../../contract/definition/tool-search-names.ts";
import { describeServer } from "./lists/describe-server.ts";
import { searchList, takenName } from "./lists/search-list.ts";
import { resolveSkills } from "../../service/resolve-skills.ts";
import type { McpPort } from "./port/port.ts";
import { createToolPort } from "./calls/tool-port.ts";

export interface ServicePortOptions {
  readonly service: Service;
  /** Version of the service, resolved. */
  readonly version: string;
  readonly tools: readonly Tool[];
  /** Prompts and resources. */
  readonly offers?: readonly Tool[] | undefined;
  readonly executor: Executor;
  /** Takes the executor of prompts and resources, if there are any, so that it ends with the other one. */
  readonly include?: ((executor: Executor) => void) | undefined;
  /** Receives the results of all jobs; set on the platform. */
  readonly delivery?: Pick<Delivery, "report" | "reportsResults"> | undefined;
  /** Telemetry of calls, if enabled. */
  readonly calls?: CallObserver | undefined;
  /** True if the tools may be replaced, so that clients may subscribe to changes. */
  readonly mayChange?: boolean | undefined;
  /** Transport of the calls, for telemetry; default: `tcp`. */
  readonly transport?: ObservedCall["transport"];
  /** Key that signs state of clients (`TENON_STATE_KEY`); default: a key of this process. */
  readonly stateKey?: string | undefined;
  /** True: adds the job tools (`TENON_JOB_TOOLS`). */
  readonly jobTools?: boolean | undefined;
  /** True: replaces a long tool list by search tools (`TENON_TOOL_SEARCH`). */
  readonly toolSearch?: boolean | undefined;
  /** True if callers are authenticated. */
  readonly hasCallers?: boolean | undefined;
}

/** Makes the {@link McpPort} of a whole service: its name and version, its tools, its executor. */
export function servicePort(options: ServicePortOptions): McpPort {
  const {
    service,
    version,
    tools,
    executor,
    calls,
    delivery,
    stateKey,
    jobTools = false,
    toolSearch = false,
    hasCallers = false,
    mayChange = false,
    transport = "tcp",
  } = options;
  const offers = [...(options.offers ?? []), ...viewOffers(tools, service.name)];
  // Jobs of prompts and resources get their own executor, without the service's store, since they are short and never
  // polled.
  const offerExecutor =
    offers.length === 0
      ? executor
      : createExecutor({
          tools: offers,
          store: createMemoryStore(),
          platform: executor.platform,
          requests: executor.requests,
        });
  if (offers.length > 0) options.include?.(offerExecutor);
  if (toolSearch) warnOfTakenName(tools);
  // The text must not name a tool that some callers may not see, since all callers get the same text.
  const definitions = tools.map(({ definition }) => definition);
  const named = hasCallers ? definitions.filter(({ scopes }) => scopes === undefined) : definitions;
  const isSearched = toolSearch && searchList(tools) !== undefined;
  const port = createToolPort({
    info: describeServer(service, version),
    instructions: instructionsOf(service, named, isSearched),
    tools,
    offers,
    jobs: executor,
    stateKey,
    jobTools,
    toolSearch,
    hasCallers,
    mayChange,
    skills: resolveSkills(),
    start(submission) {
      if (submission.tool.definition.kind !== undefined) return offerExecutor.start(submission);
      if (delivery?.reportsResults !== true) return executor.start(submission);
      const job = executor.start({ ...submission, repeatable: true });
      delivery.report(job, { authorization: submission.authorization });
      return job;
    },
  });
  return observePort(port, calls, transport, namesOf(tools, offers));
}

/** Names that can be called: those of the author's functions, of the job tools and of the search tools. */
function namesOf(tools: readonly Tool[], offers: readonly Tool[]): ReadonlySet<string> {
  const named = [...tools, ...offers, ...jobToolDescriptors(tools)].map(({ name }) => name);
  return new Set([...named, ...Object.values(toolSearchNames)]);
}

function warnOfTakenName(tools: ServicePortOptions["tools"]): void {
  const name = takenName(tools);
  if (name === undefined) return;
  getLogger("tenon").warn(
    `TENON_TOOL_SEARCH has no effect: the service has a tool of its own with the name ${name}. Give it another one with @name.`,
  );
}
