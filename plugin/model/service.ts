import type { Position } from "./type.ts";

/** What the entry says in `new Service({…})` and in its start call, read as constants. */
export interface ServiceModel {
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  readonly contact?: { readonly name: string; readonly email: string; readonly url?: string };
  readonly license?: { readonly name: string; readonly url?: string };
  /** Which start call the entry makes. */
  readonly flavour: "lambda" | "batch";
  readonly position: Position;
}
