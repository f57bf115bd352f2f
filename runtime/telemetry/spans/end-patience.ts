/** Maximum milliseconds that telemetry may delay the end of the process. */
export const endPatience = 2000;

/** Waits for the work, but not longer than telemetry may delay the end. Rejects as the work does. */
export async function withinEndPatience(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, endPatience);
  });
  try {
    await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
