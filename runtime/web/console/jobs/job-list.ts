import { useEffect, useRef, useState } from "preact/hooks";
import type { Backend } from "../client/backend.ts";
import type { JobFilter, JobInfo } from "../client/job-info.ts";
import { errorText } from "../base/use-loaded.ts";

/** Milliseconds between two polls of the newest jobs. */
const every = 1500;

/** A list of jobs that grows at its end when the user scrolls, and at its start when new jobs come. */
export interface JobList {
  readonly items: readonly JobInfo[];
  readonly isLoading: boolean;
  readonly failure: string | undefined;
  loadMore(): void;
}

interface Rows {
  readonly items: readonly JobInfo[];
  readonly next: string | undefined;
}

/** Returns the live list of jobs. */
export function useJobList(backend: Backend, filter: JobFilter, epoch: number): JobList {
  const [rows, setRows] = useState<Rows | undefined>(undefined);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const loadMore = useRef(() => {});
  useEffect(() => {
    let isOver = false;
    let isBusy = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current: Rows | undefined;
    const show = (next: Rows): void => {
      if (isOver) return;
      current = next;
      setRows(next);
      setFailure(undefined);
    };
    const look = async (): Promise<void> => {
      try {
        if (!document.hidden) {
          const newest = await backend.jobs(filter);
          show(current === undefined ? newest : merge(current, newest));
        }
      } catch (error) {
        if (!isOver) setFailure(errorText(error));
      }
      if (!isOver) timer = setTimeout(() => void look(), every);
    };
    loadMore.current = () => {
      const page = current?.next;
      if (isBusy || page === undefined) return;
      isBusy = true;
      backend
        .jobs({ ...filter, page })
        .then(
          ({ items, next }) => {
            const known = new Set(current?.items.map(({ id }) => id));
            show({ items: [...(current?.items ?? []), ...items.filter(({ id }) => !known.has(id))], next });
          },
          () => {},
        )
        .finally(() => (isBusy = false));
    };
    setRows(undefined);
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [backend, ...Object.values(filter), epoch]);
  return { items: rows?.items ?? [], isLoading: rows === undefined, failure, loadMore: () => loadMore.current() };
}

/** Adds the newest jobs before the known ones. If more than a page is new, the list starts anew. */
function merge(known: Rows, newest: Rows): Rows {
  const last = newest.items.at(-1)?.id;
  if (last === undefined || newest.next === undefined) return newest;
  const at = known.items.findIndex(({ id }) => id === last);
  if (at < 0) return newest;
  return { items: [...newest.items, ...known.items.slice(at + 1)], next: known.next };
}
