import type { Tool } from "../../service/tools/tool.ts";
import type { OwnSchedule } from "../store/firing.ts";
import { schedulesOfTool } from "../store/timetable.ts";

/** Returns the schedules of tools, by tool and number. */
export function ownSchedules(tools: readonly Tool[]): readonly OwnSchedule[] {
  return tools.flatMap(({ name, definition }) => schedulesOfTool(name, definition.schedules ?? []));
}
