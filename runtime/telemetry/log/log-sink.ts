import { getEventLogger } from "./logging.ts";
import type { EventSink } from "../../job/sink.ts";

/** Writes events as log records of the logger `event`. */
export function createLogSink(): EventSink {
  const logger = getEventLogger();
  return {
    emit: ({ id, tool }, { body }) =>
      logger.info({ job_id: id, tool: tool.name, event: body }, String(body["$schema"])),
  };
}
