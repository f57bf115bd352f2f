import type { Service } from "../service/service.ts";
import type { RunningServer } from "./start-server.ts";

/** Set by `tenon dev`: a second start call in its process replaces what the running server serves. */
export interface DevHost {
  running: RunningServer | undefined;
  /** Called before modules are loaded anew, with the source files that they replace; all others stay as they are. */
  forgetTools?: (sources: ReadonlySet<string>) => void;
  /** Serves the tools of a batch service, whose bundle has no server. */
  readonly serve?: (service: Service) => Promise<unknown>;
}

/** The process of `tenon dev` that this is. */
export function devHost(): DevHost | undefined {
  return Reflect.get(globalThis, Symbol.for("tenon.dev")) as DevHost | undefined;
}
