import { BaseEvent } from "tenon";

/** Progress of an agent: an event class of this service, with a schema of its own. */
export class TaskEvent extends BaseEvent {
  static override readonly SCHEMA: string = "urn:example:schema.workflow-simulator.task.1";
  readonly agent: string;
  readonly task: string;
  /** Share of the agent's work that is done, 0 to 100. */
  readonly progress: number;

  constructor(agent: string, task: string, progress: number) {
    super();
    this.agent = agent;
    this.task = task;
    this.progress = progress;
  }
}
