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
          const next = current === undefined ? newest : merge(current, newest);
          show(next);
          // A service examines a number of jobs for a page, none of which may match the filter.
          if (next.items.length === 0) loadMore.current();
        }
      } catch (error) {
        if (!isOver) setFailure(errorText(error));
      }
      if (!isOver) timer = setTimeout(() => void look(), every);
    };
    /** Adds the next page that has a job which is not in the list. */
    const load = async (): Promise<void> => {
      if (isOver || current?.next === undefined) return;
      const { items, next } = await backend.jobs({ ...filter, page: current.next });
      const known = current.items;
      const ids = new Set(known.map(({ id }) => id));
      const fresh = items.filter(({ id }) => !ids.has(id));
      show({ items: [...known, ...fresh], next });
      if (fresh.length === 0) await load();
    };
    loadMore.current = () => {
      if (isBusy) return;
      isBusy = true;
      load()
        .catch(() => {})
        .finally(() => (isBusy = false));
    };
    setRows(undefined);
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [backend, ...Object.values(filter), epoch]);
  const { items, next } = rows ?? { items: [], next: "" };
  return { items, isLoading: items.length === 0 && next !== undefined, failure, loadMore: () => loadMore.current() };
}

/** Adds the newest jobs before the known ones. If more than a page is new, the list starts anew. */
function merge(known: Rows, newest: Rows): Rows {
  if (newest.next === undefined) return newest;
  const last = newest.items.at(-1)?.id;
  if (last === undefined) return known;
  const at = known.items.findIndex(({ id }) => id === last);
  if (at < 0) return newest;
  return { items: [...newest.items, ...known.items.slice(at + 1)], next: known.next };
}
