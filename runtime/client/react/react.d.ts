/**
 * The React hooks that this folder uses. React's own types are not used, since they declare elements of a page, which
 * this project does not have.
 */
declare module "react" {
  export function useState<State>(
    initial: State,
  ): [state: State, set: (next: State | ((before: State) => State)) => void];
  export function useEffect(effect: () => (() => void) | undefined, inputs: readonly unknown[]): void;
  export function useRef<Value>(initial: Value): { current: Value };
  export function useCallback<Callback>(callback: Callback, inputs: readonly unknown[]): Callback;
}
