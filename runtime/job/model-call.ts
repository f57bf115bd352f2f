/** A request to a language model, as its client sends it. */
export interface ModelRequest {
  /** Below the client's base URL, such as `/chat/completions`. */
  readonly path: string;
  /** Base URL of the client. */
  readonly server: URL;
}

/** Telemetry of one request to a language model. No method throws; what comes after the end does nothing. */
export interface ModelCall {
  /** Runs code as part of the call: in it, the call's span is the active one. */
  run<T>(callback: () => T): T;
  /** The body of the request. */
  asked(body: unknown): void;
  /** The headers of the answer are there. */
  arrived(): void;
  /** One piece of a streamed answer. */
  piece(piece: unknown): void;
  /** The whole answer, which ends the call; undefined after the last piece. */
  answered(answer?: unknown): void;
  /** Ends the call with an error. */
  failed(thrown: unknown): void;
}

/** Starts the telemetry of a request; undefined for one that the conventions have no name for. */
export type ModelCallStarter = (request: ModelRequest) => ModelCall | undefined;

/** Loads what observes requests to language models. */
export type LoadModelCalls = () => Promise<ModelCallStarter>;
