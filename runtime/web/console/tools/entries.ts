import type { ServiceInfo, ToolInfo } from "../client/definition.ts";
import { resultKinds, type ResultKind } from "./result-kinds.ts";

/** A tool in the list. */
export interface Entry {
  readonly service: ServiceInfo;
  readonly tool: ToolInfo;
  /** Kinds of the tool's results. */
  readonly kinds: readonly ResultKind[];
  /** Why the tool was found, if its own texts do not say it. */
  readonly why?: string | undefined;
}

/** All tools of the services. */
export function entriesOf(services: readonly ServiceInfo[]): readonly Entry[] {
  return services.flatMap((service) => service.tools.map((tool) => ({ service, tool, kinds: resultKinds(tool) })));
}
