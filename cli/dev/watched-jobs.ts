/** An object that stands for a job. */
interface JobObject<Event, Outcome> {
  readonly id: string;
  readonly tool: { readonly name: string };
  /** Undefined until the job has ended. */
  readonly outcome: Outcome | undefined;
  /** Set if the job has left this attempt, to go on later. */
  readonly parking?: unknown;
  onEvent(listener: (event: Event) => void): unknown;
  onEnd(listener: (outcome: Outcome) => void): void;
}

/** A job, whichever objects stand for it. It tells each event, and the end, once. */
export type WatchedJob<Event, Outcome> = Pick<JobObject<Event, Outcome>, "id" | "tool" | "onEvent" | "onEnd">;

/** The unfinished jobs that `tenon dev` watches. */
export interface WatchedJobs<Event, Outcome> {
  /** Takes the object of a job that a caller or a schedule has started; it may only wait for another object. */
  started(job: JobObject<Event, Outcome>): void;
  /** Takes the object of a job that begins to run here, or continues after a wait. */
  began(job: JobObject<Event, Outcome>): void;
}

interface Entry<Event, Outcome> {
  /** The latest object that ran the job here. */
  running?: JobObject<Event, Outcome>;
  readonly onEvent: Set<(event: Event) => void>;
  readonly onEnd: Set<(outcome: Outcome) => void>;
}

/**
 * Joins the objects of each job: one waits in a line, others are its attempts, further ones belong to callers who have
 * joined it. Only the object that runs the job has the thrown error; the others have the outcome in the store.
 *
 * @param watch Called once for each job, as soon as it is known
 */
export function createWatchedJobs<Event, Outcome>(
  watch: (job: WatchedJob<Event, Outcome>) => void,
): WatchedJobs<Event, Outcome> {
  const jobs = new Map<string, Entry<Event, Outcome>>();
  type Watched = JobObject<Event, Outcome>;

  function entryOf({ id, tool }: Watched): Entry<Event, Outcome> {
    const known = jobs.get(id);
    if (known !== undefined) return known;
    const entry: Entry<Event, Outcome> = { onEvent: new Set(), onEnd: new Set() };
    jobs.set(id, entry);
    watch({
      id,
      tool,
      onEvent: (listener) => entry.onEvent.add(listener),
      onEnd: (listener) => void entry.onEnd.add(listener),
    });
    return entry;
  }

  function follow(job: Watched, entry: Entry<Event, Outcome>): void {
    const { id } = job;
    job.onEnd((outcome) => {
      const { running } = entry;
      const runsElsewhere = running !== undefined && running !== job && running.parking === undefined;
      if (runsElsewhere || jobs.get(id) !== entry) return;
      jobs.delete(id);
      // The job of a call that has joined another job tells nothing, since that job has its own entry.
      if (job.id === id) for (const listener of entry.onEnd) listener(outcome);
    });
  }

  return {
    started(job) {
      // The end of a job that has ended was reported when it came, or before this process began.
      if (job.outcome === undefined) follow(job, entryOf(job));
    },
    began(job) {
      const entry = entryOf(job);
      entry.running = job;
      // Events that are there already are those of earlier attempts, which pass on those of later ones in turn.
      let isEarlier = true;
      job.onEvent((event) => {
        if (!isEarlier && entry.running === job) for (const listener of entry.onEvent) listener(event);
      });
      isEarlier = false;
      follow(job, entry);
    },
  };
}
