import { DeclinedError, type JobContext } from "tenon";

/** Deletes files, if its user agrees.
 * @tool
 * @param mark Names the call. */
export async function deleteFiles(mark: string, job: JobContext): Promise<string> {
  if (!job.can("elicitation")) return "cannot ask";
  return (await job.ask<boolean>(`Delete the files of ${mark}?`)) ? "deleted" : "kept";
}

/** Asks for an address.
 * @tool
 * @param mark Names the call. */
export async function askAddress(mark: string, job: JobContext): Promise<string> {
  try {
    const { city, rooms } = await job.ask<{ /** The city. */ city: string; /** Rooms. @minimum 1 */ rooms: number }>(
      `Where does ${mark} live?`,
    );
    return `${rooms} in ${city}`;
  } catch (error) {
    if (error instanceof DeclinedError) return "declined";
    throw error;
  }
}

/** Asks although nobody may be there.
 * @tool
 * @param mark Names the call. */
export async function askAnyhow(mark: string, job: JobContext): Promise<boolean> {
  return job.ask<boolean>(`Is ${mark} there?`);
}
