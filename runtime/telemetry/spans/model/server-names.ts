import type { Meter } from "@opentelemetry/api";
import { describeThrown } from "../../log/describe-thrown.ts";
import { fieldsOf } from "./request-attributes.ts";

/** Returns a name that a server has sent if it may be a label of metrics; otherwise undefined. */
type ServerName = (name: unknown) => string | undefined;

/** Names of servers that become labels of metrics. */
export interface ServerNames {
  readonly code: ServerName;
  readonly model: ServerName;
}

/** Maximum number of different names of a kind. Each makes time series that last as long as the process. */
const mostNames = 100;

// A meter outlasts the observers of single jobs, as its time series do.
const namesOf = new WeakMap<Meter, ServerNames>();

/**
 * Returns the filters of names of a meter. They refuse texts that are not short names, since a server may answer with a
 * text that contains the prompt.
 */
export function serverNames(meter: Meter | undefined): ServerNames {
  const names = (meter && namesOf.get(meter)) ?? {
    code: firstNames(/^[\w.-]{1,64}$/),
    model: firstNames(/^[\w.:/@+-]{1,128}$/),
  };
  if (meter !== undefined) namesOf.set(meter, names);
  return names;
}

function firstNames(shape: RegExp): ServerName {
  const names = new Set<string>();
  return (name) => {
    if (typeof name !== "string" || !shape.test(name)) return undefined;
    if (names.size < mostNames) names.add(name);
    return names.has(name) ? name : undefined;
  };
}

/** The provider's code, the status of the answer, the code of a lost connection, or the class of the error. */
export function errorType(thrown: unknown, nameOf: ServerName): string {
  const { code, status } = fieldsOf(thrown);
  const name = nameOf(code);
  if (name !== undefined) return name;
  if (typeof status === "number") return String(status);
  for (let at = describeThrown(thrown).cause; at !== undefined; at = at.cause)
    if (at.code !== undefined) return String(at.code);
  // The name of the class is used, since errors of the client have no name of their own.
  return thrown instanceof Error ? thrown.constructor.name : describeThrown(thrown).type;
}
