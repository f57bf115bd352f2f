import { useEffect, useState } from "preact/hooks";

/** Returns the current time, and updates it in an interval of milliseconds; 0: never. */
export function useNow(every: number): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (every === 0) return;
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
