import { getLogger } from "../../telemetry/log/logging.ts";

/** Warns that the scopes of a function are not checked. */
export function warnOfOpenScopes(name: string): void {
  getLogger("tenon").warn(
    `${name} has a @scope, but callers are not authenticated, so that everybody may call it. ` +
      "Set TENON_AUTH_ISSUER and TENON_AUTH_AUDIENCE.",
  );
}
