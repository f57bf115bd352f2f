import { getLogger } from "../log/logging.ts";
import { logState } from "../log/log-state.ts";
import {
  defaultResource,
  detectResources,
  hostDetector,
  osDetector,
  processDetector,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
  type Resource,
  type ResourceDetector,
} from "./official.ts";

/** Identity of the exporting service. */
export interface Origin {
  readonly serviceName: string;
  readonly serviceVersion: string;
  readonly serviceId: string | undefined;
}

/** Attributes that would show the command line and its owner. */
const hidden = /^process\.(?:command|command_args|command_line|owner|executable\.path)$/;

const detectors: Readonly<Record<string, readonly ResourceDetector[]>> = {
  host: [hostDetector, osDetector],
  process: [{ detect: detectProcess }],
  service: [serviceInstanceIdDetector],
};
/** Names of detectors in earlier versions of the SDK. */
const earlier: typeof detectors = { os: [osDetector], serviceinstance: [serviceInstanceIdDetector] };

/**
 * The resource of all signals: the service, the SDK, and `OTEL_RESOURCE_ATTRIBUTES`. No attributes of host and process,
 * unless `OTEL_NODE_RESOURCE_DETECTORS` names the detectors; the command line never.
 *
 * @param named `OTEL_SERVICE_NAME`, which takes precedence over every other name.
 */
export function createResource(origin: Origin, named: string | undefined, wanted: string | undefined): Resource {
  const { serviceName, serviceVersion, serviceId } = origin;
  return defaultResource()
    .merge(resourceFromAttributes({ "service.name": serviceName, "service.version": serviceVersion }))
    .merge(detectResources({ detectors: wantedDetectors(wanted) }))
    .merge(detectResources({ detectors: [{ detect: detectVariable }] }))
    .merge(
      resourceFromAttributes({
        ...(named !== undefined && { "service.name": named }),
        ...(serviceId !== undefined && { "platform.service_id": serviceId }),
      }),
    );
}

function wantedDetectors(wanted: string | undefined): ResourceDetector[] {
  const names = (wanted ?? "").split(",").map((name) => name.trim().toLowerCase());
  if (names.includes("none")) return [];
  if (names.includes("all")) return Object.values(detectors).flat();
  return names.flatMap((name) => {
    const found = detectors[name] ?? earlier[name];
    // Other names are reported as unknown; `env` is allowed, since OTEL_RESOURCE_ATTRIBUTES is always read.
    if (found === undefined && name !== "" && name !== "env")
      getLogger("tenon").warn(
        `OTEL_NODE_RESOURCE_DETECTORS: ${JSON.stringify(name)} is ignored; ` +
          `known are env, ${Object.keys(detectors).join(", ")}, all and none.`,
      );
    return found ?? [];
  });
}

function detectProcess(): ReturnType<ResourceDetector["detect"]> {
  const { attributes = {} } = processDetector.detect();
  return { attributes: Object.fromEntries(Object.entries(attributes).filter(([name]) => !hidden.test(name))) };
}

/** The attributes of `OTEL_RESOURCE_ATTRIBUTES`, without secrets. */
function detectVariable(): ReturnType<ResourceDetector["detect"]> {
  const { attributes = {} } = resourceAttributesEnvDetector.detect();
  const { redactor } = logState();
  return {
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [
        name,
        typeof value === "string" ? redactor.text(value) : value,
      ]),
    ),
  };
}
