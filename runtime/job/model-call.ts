/** A request to a language model, as its client sends it. */
export interface ModelRequest {
  /** Path below the client's base URL, such as `/chat/completions`. */
  readonly path: string;
  /** Base URL of the client. */
  readonly server: URL;
}

/** Telemetry of one request to a language model. No method throws; calls after the end have no effect. */
export interface ModelCall {
  /** Runs code as part of the call: in it, the call's span is the active one. */
  run<T>(callback: () => T): T;
  /** Records the body of the request. */
  asked(body: unknown): void;
  /** Called when the headers of the answer have arrived. */
  arrived(): void;
  /** Records one piece of a streamed answer. */
  piece(piece: unknown): void;
  /** Records the whole answer, which ends the call; undefined after the last piece. */
  answered(answer?: unknown): void;
  /** Ends the call with an error. */
  failed(thrown: unknown): void;
}

/** Starts the telemetry of a request; undefined for a request for which the conventions have no name. */
export type ModelCallStarter = (request: ModelRequest) => ModelCall | undefined;

/** Loads the code that observes requests to language models. */
export type LoadModelCalls = () => Promise<ModelCallStarter>;
