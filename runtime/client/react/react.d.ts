/** The React hooks that ours are made of. React's own types declare elements of a page, and this project has none. */
declare module "react" {
  export function useState<State>(
    initial: State,
  ): [state: State, set: (next: State | ((before: State) => State)) => void];
  export function useEffect(effect: () => (() => void) | undefined, inputs: readonly unknown[]): void;
  export function useRef<Value>(initial: Value): { current: Value };
  export function useCallback<Callback>(callback: Callback, inputs: readonly unknown[]): Callback;
}
