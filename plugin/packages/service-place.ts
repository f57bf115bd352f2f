import { join } from "node:path";
import { dockerfileEntrypoint } from "../../runtime/contract/definition/dockerfile.ts";
import { parseResources } from "../../runtime/contract/definition/resources.ts";
import type { BuiltDeployment } from "../../runtime/contract/deployment-key.ts";
import { readText } from "../read/base/read-text.ts";
import { readPackageJson } from "./read-package-json.ts";

/** Inputs of a definition that come from the folder of its package. */
export interface ServicePlace {
  readonly version: unknown;
  /** Text of `resources.json`. */
  readonly resources: string | undefined;
  /** Text of `Dockerfile`. */
  readonly dockerfile: string | undefined;
}

/** Paths of `resources.json` and `Dockerfile` in the folder of a package. */
export function placeFiles(root: string): readonly [resources: string, dockerfile: string] {
  return [join(root, "resources.json"), join(root, "Dockerfile")];
}

/** Reads the inputs of a definition from the folder of its package. */
export function readServicePlace(root: string): ServicePlace {
  const [resources, dockerfile] = placeFiles(root);
  return {
    version: readPackageJson(root)["version"],
    resources: readText(resources),
    dockerfile: readText(dockerfile),
  };
}

/** Resources and command of a package's service; undefined if there are none. An invalid file is reported elsewhere. */
export function deploymentOf(root: string): BuiltDeployment | undefined {
  const place = readServicePlace(root);
  const read = place.resources === undefined ? undefined : parseResources(place.resources);
  const resources = read !== undefined && "resources" in read ? read.resources : undefined;
  const command = dockerfileEntrypoint(place.dockerfile ?? "");
  if (resources === undefined && command === undefined) return undefined;
  return { ...(resources && { resources }), ...(command && { command }) };
}
