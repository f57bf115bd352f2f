import { pathToFileURL } from "node:url";
import { ownModule } from "../../plugin/packages/own-module.ts";

/** Name of the package through which the spans of the author and of tenon are connected. */
const spanApi = "@opentelemetry/api";

/**
 * URL of a module that the process of `tenon dev` has loaded already and that the author's code must share with it:
 * tenon's runtime, and OpenTelemetry's API. Undefined for any other import.
 *
 * @param isRequired True for an import by `require`, which cannot share a copy with an ES module
 */
export function processModule(specifier: string, isRequired: boolean): string | undefined {
  if (specifier === spanApi) return isRequired ? undefined : import.meta.resolve(spanApi);
  const own = ownModule(specifier);
  return own === undefined ? undefined : pathToFileURL(own).href;
}
