import { readFileSync } from "node:fs";
import { deploymentKey, type BuiltDeployment } from "../../contract/deployment-key.ts";
import type { Config } from "./config.ts";
import { dockerfileEntrypoint } from "../../contract/definition/dockerfile.ts";
import { parseEntrypoint } from "../../contract/definition/entrypoint.ts";
import { parseResources, type Resources } from "../../contract/definition/resources.ts";
import type { Deployment } from "../../contract/definition/service-definition.ts";
import { StartError } from "../../base/start-error.ts";

/**
 * Reads the deployment from the environment, from the files beside the service, and from its build. Throws
 * `StartError`.
 */
export function readDeployment(config: Config): Deployment {
  const built = (globalThis as { [deploymentKey]?: BuiltDeployment })[deploymentKey];
  const command = readCommand(config) ?? built?.command;
  const resources = readResources(config) ?? built?.resources;
  return {
    policy: config.policyUrn,
    port: config.port,
    ...(config.serviceId !== undefined && { serviceId: config.serviceId }),
    ...(config.serviceName !== undefined && { serviceName: config.serviceName }),
    ...(config.image !== undefined && { image: config.image }),
    ...(command !== undefined && { command }),
    ...(resources !== undefined && { resources }),
  };
}

function readCommand({ entrypoint, dockerfile, dockerfileGiven }: Config): readonly string[] | undefined {
  if (entrypoint !== undefined) {
    const parsed = parseEntrypoint(entrypoint);
    if ("error" in parsed) throw new StartError(`${parsed.error}.`);
    return parsed.command;
  }
  const text = readNamed(dockerfile, "DOCKERFILE", dockerfileGiven);
  return text === undefined ? undefined : dockerfileEntrypoint(text);
}

function readResources({ resourcesFile, resourcesFileGiven }: Config): Resources | undefined {
  const text = readNamed(resourcesFile, "PLATFORM_RESOURCES_FILE", resourcesFileGiven);
  if (text === undefined) return undefined;
  const parsed = parseResources(text);
  if ("error" in parsed) throw new StartError(`The resources file ${resourcesFile} is not usable: ${parsed.error}.`);
  return parsed.resources;
}

/** The text of a file; undefined when the file does not exist and was not named explicitly. */
function readNamed(path: string, variable: string, given: boolean): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && !given) return undefined;
    throw new StartError(
      `${given ? `${variable} names ${path}, which` : path} cannot be read (${code ?? "unknown error"}).`,
    );
  }
}
