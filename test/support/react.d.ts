/** What tests use of React, beside the hooks. */
declare module "react" {
  export function act(change: () => Promise<void>): Promise<void>;
  export function createElement<Props>(component: (props: Props) => unknown, props: Props): object;
}
declare module "react-dom/client" {
  export interface Root {
    render(element: object | null): void;
  }
  export function createRoot(container: never): Root;
}
