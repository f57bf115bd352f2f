import { hasSkills } from "../../../service/resolve-skills.ts";
import type { Tool } from "../../../service/tools/tool.ts";
import type { McpParts } from "../port/capabilities.ts";
import { createCatalogue, type CatalogueOptions } from "./catalogue.ts";
import type { CancelCall, McpCatalogue, McpPort } from "../port/port.ts";

/** The part of {@link McpPort} that the engine for plain requests uses. */
export type PlainPort = McpCatalogue & McpParts & Pick<McpPort, "startCall">;

export interface EarlyPortOptions extends CatalogueOptions {
  /** True if the declarations of all tools will be available as a resource. */
  readonly toolSearch?: boolean;
}

/**
 * Makes a port for a service of which only the definitions are loaded. It can answer lists at once; calls wait until
 * the code that runs them is loaded.
 *
 * @param load Returns the port that runs calls, always the same. If loading fails, calls are not answered; the caller
 *   of `earlyPort` handles the failure.
 */
export function earlyPort(options: EarlyPortOptions, load: () => Promise<McpPort>): PlainPort {
  let port: McpPort | undefined;
  const skills = hasSkills();
  const { offers = [] } = options;
  const catalogue = createCatalogue(options);
  const has = (kind: Tool["definition"]["kind"]): boolean => offers.some(({ definition }) => definition.kind === kind);
  return {
    ...catalogue,
    tasks: true,
    ...(has("prompt") && { prompts: true }),
    ...((has("resource") || skills || options.toolSearch || catalogue.hasViews === true) && { resources: true }),
    ...(skills && { skills }),
    startCall(name, args, context, done) {
      if (port !== undefined) return port.startCall(name, args, context, done);
      let isCancelled = false;
      let cancel: CancelCall | undefined;
      load().then(
        (loaded) => {
          port = loaded;
          if (!isCancelled) cancel = loaded.startCall(name, args, context, done);
        },
        () => {},
      );
      return (hasLeft) => {
        isCancelled = true;
        cancel?.(hasLeft);
      };
    },
  };
}
