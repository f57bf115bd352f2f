import type { JsonLiteral } from "./type.ts";

/** `@schedule`: times at which the service itself starts jobs of a tool. */
export interface ScheduleModel {
  readonly cron: string;
  readonly zone: string;
  /** Request of the jobs; absent for a tool without data. */
  readonly request?: JsonLiteral;
  readonly missed: "one" | "skip" | "all";
  readonly overlap: "skip" | "queue" | "cancel" | "allow";
  /** Maximum random delay in milliseconds. */
  readonly jitter?: number;
}
