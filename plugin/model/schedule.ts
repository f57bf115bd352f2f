import type { JsonLiteral } from "./type.ts";

/** `@schedule`: times at which the service itself starts jobs of a tool. */
export interface ScheduleModel {
  readonly cron: string;
  readonly zone: string;
  /** Absent for a tool without data. */
  readonly request?: JsonLiteral;
  readonly missed: "one" | "skip" | "all";
  readonly overlap: "skip" | "queue" | "cancel" | "allow";
  /** Milliseconds. */
  readonly jitter?: number;
}
