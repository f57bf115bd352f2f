import {
  SidecarError,
  type SidecarAnswer,
  type SidecarClient,
  type SidecarFault,
  type SidecarRequest,
} from "../../runtime/outside/platform/sidecar/sidecar-client.ts";

/**
 * An answer as a script says it: a status, a whole answer, or why there is none. `never` waits until it is given up.
 */
export type Scripted =
  | number
  | SidecarFault
  | "never"
  | { readonly status: number; readonly headers?: SidecarAnswer["headers"]; readonly body?: unknown };

export interface FakeClient extends SidecarClient {
  readonly requests: SidecarRequest[];
}

/** A sidecar client without a network. */
export function fakeClient(script: (request: SidecarRequest, count: number) => Scripted): FakeClient {
  const requests: SidecarRequest[] = [];
  return {
    requests,
    send(request) {
      requests.push(request);
      const said = script(request, requests.length);
      return new Promise((resolve, reject) => {
        const giveUp = (): void => reject(new SidecarError("aborted", "given up"));
        if (request.signal?.aborted === true) giveUp();
        else if (said === "never") request.signal?.addEventListener("abort", giveUp);
        else if (typeof said === "string") reject(new SidecarError(said, `it was ${said}`));
        else if (typeof said === "number") resolve({ status: said, headers: {}, body: Buffer.alloc(0) });
        else {
          const { status, headers = {}, body } = said;
          resolve({
            status,
            headers,
            body: Buffer.from(body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body)),
          });
        }
      });
    },
    close() {},
  };
}
