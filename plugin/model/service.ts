import type { Position } from "./type.ts";

/** Constants that the entry passes to `new Service({…})` and to its start call. */
export interface ServiceModel {
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  readonly contact?: { readonly name: string; readonly email: string; readonly url?: string };
  readonly license?: { readonly name: string; readonly url?: string };
  /** Kind of the entry's start call. */
  readonly flavour: "lambda" | "batch";
  readonly position: Position;
}
