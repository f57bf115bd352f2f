import { readEvent } from "./replicas/follow-events.ts";
import type { Events } from "./history.ts";

interface Reported {
  readonly options?: { readonly count?: number; readonly run?: string };
}

/** Reads all events of an ended job from the platform. */
export async function readEvents(platform: string, id: string): Promise<Events> {
  const { numbers, texts } = await readAll(`${platform}/services2/chaos/jobs/${id}/events`);
  return { kind: "events", id, numbers, counts: texts.map((text) => reportedBy(text).count ?? 0) };
}

/** Reads all events of an ended job from a replica, with the runs that reported them, and that of the result. */
export async function readRuns(replica: string, id: string): Promise<Events> {
  const { numbers, texts } = await readAll(`${replica}/jobs/${id}/events`);
  const result = await fetch(`${replica}/jobs/${id}`);
  const resultRun = result.ok ? ((await result.json()) as { readonly run?: string }).run : undefined;
  const reported = texts.map(reportedBy);
  return {
    kind: "events",
    id,
    numbers,
    counts: reported.map(({ count }) => count ?? 0),
    runs: reported.map(({ run }) => run ?? ""),
    resultRun,
    texts,
  };
}

async function readAll(
  url: string,
): Promise<{ readonly numbers: readonly number[]; readonly texts: readonly string[] }> {
  const response = await fetch(url);
  const events = (await response.text())
    .split("\n\n")
    .map(readEvent)
    .filter((event) => event?.type === "platform.job.event");
  return { numbers: events.map((event) => event?.number ?? 0), texts: events.map((event) => event?.text ?? "") };
}

function reportedBy(text: string): { readonly count?: number; readonly run?: string } {
  return (JSON.parse(text) as Reported).options ?? {};
}
