import type { ComponentType } from "preact";
import { useMemo } from "preact/hooks";
import type { Route } from "./route.ts";
import { useLoaded, type Loaded } from "./use-loaded.ts";

/** Properties of every view. */
export interface ViewProps {
  /** Parts of the view's address after its name. */
  readonly route: Route;
}

/** Loads the script of a view. Rejects with a sentence that says what to do. */
export type LoadView = () => Promise<ComponentType<ViewProps>>;

/** Loads the script of a view when it is first shown. After a failure, loads it again when `turn` changes. */
export function useView(load: LoadView, turn: number): Loaded<ComponentType<ViewProps>> {
  const known = useMemo(() => new Map<LoadView, ComponentType<ViewProps>>(), []);
  const { failure } = useLoaded(async () => known.set(load, known.get(load) ?? (await load())), [load, turn]);
  const value = known.get(load);
  return value !== undefined ? { value } : failure !== undefined ? { failure } : {};
}
