import type { Events } from "./history.ts";

/** Reads all events of an ended job from the platform. */
export async function readEvents(platform: string, id: string): Promise<Events> {
  const response = await fetch(`${platform}/services2/chaos/jobs/${id}/events`);
  const numbers: number[] = [];
  const counts: number[] = [];
  for (const line of (await response.text()).split("\n")) {
    if (!line.startsWith("data: ")) continue;
    const { SeqID, type, data } = JSON.parse(line.slice(6)) as {
      readonly SeqID: string;
      readonly type: string;
      readonly data: { readonly options?: { readonly count?: number } };
    };
    if (type !== "platform.job.event") continue;
    numbers.push(Number(SeqID));
    counts.push(data.options?.count ?? 0);
  }
  return { kind: "events", id, numbers, counts };
}
