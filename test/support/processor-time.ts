/** Milliseconds that this thread has computed: unlike a clock, it stands still while others have the processor. */
export function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
