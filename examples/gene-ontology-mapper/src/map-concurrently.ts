/**
 * Calls `work` for every item, at most `limit` at the same time, and resolves to the answers in the items' order.
 * After the first failure, or when the signal is aborted, nothing new is started; what runs is waited for, so that
 * nothing of this call goes on after it has ended.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  signal: AbortSignal,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const answers: R[] = [];
  const queue = items.entries();
  let failure: { readonly error: unknown } | undefined;

  async function takeTurns(): Promise<void> {
    // All workers draw from one iterator, so each item is taken once.
    for (const [index, item] of queue) {
      if (failure !== undefined) return;
      try {
        signal.throwIfAborted();
        answers[index] = await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, takeTurns));
  if (failure !== undefined) throw failure.error;
  return answers;
}
