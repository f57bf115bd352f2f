import { devHostKey } from "../contract/process-keys.ts";
import type { Service } from "../service/service.ts";
import type { RunningServer } from "./start-server.ts";

/** Set by `tenon dev`: a second start call in its process replaces the tools of the running server. */
export interface DevHost {
  running: RunningServer | undefined;
  /** Called before modules are loaded again, with the source files that they replace; all others stay. */
  forgetTools?: (sources: ReadonlySet<string>) => void;
  /** Serves the tools of a batch service, whose bundle has no server. */
  readonly serve?: (service: Service) => Promise<unknown>;
}

/** The `tenon dev` that runs in this process. */
export function devHost(): DevHost | undefined {
  return Reflect.get(globalThis, devHostKey) as DevHost | undefined;
}
