import type { ScheduleDefinition } from "../../contract/contract.ts";
import { firingTimes } from "../../contract/firing-times.ts";
import type { FiringTimes } from "../../contract/firing-times.ts";
import type { Tool } from "../../service/tools/tool.ts";

/** A schedule of this build. */
export interface OwnSchedule {
  readonly tool: Tool;
  /** Position among the schedules of its tool, from 1. */
  readonly number: number;
  readonly schedule: ScheduleDefinition;
  readonly times: FiringTimes;
  /** The whole definition as JSON. */
  readonly text: string;
}

/** The schedules of tools, by tool and number. */
export function ownSchedules(tools: readonly Tool[]): readonly OwnSchedule[] {
  return tools.flatMap((tool) =>
    (tool.definition.schedules ?? []).map((schedule, index) => ({
      tool,
      number: index + 1,
      schedule,
      times: firingTimes(schedule),
      text: JSON.stringify(schedule),
    })),
  );
}
