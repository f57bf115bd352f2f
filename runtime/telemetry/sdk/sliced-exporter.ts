import { setImmediate as nextTurn } from "node:timers/promises";
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
  ExportResultCode,
  type ExportResult,
  type IExporterMetricsHelper,
  type ISerializer,
} from "./official.ts";

/** Maximum number of items that are encoded without a pause: every running request waits for them, 10 to 20 µs each. */
const sliceSize = 16;

/** Encodes items of one kind as the body of a request. */
export interface BatchFormat<T> {
  /** The signal's name in the standard variables. */
  readonly variables: "TRACES" | "LOGS";
  readonly item: IExporterMetricsHelper<unknown>["name"];
  readonly contentType: string;
  readonly serializer: ISerializer<T[], unknown>;
  /** Joins the encoded slices to one request body. */
  readonly join: (requests: readonly Uint8Array[]) => Uint8Array;
}

interface EncodedBatch {
  readonly count: number;
  readonly body: Uint8Array;
}

/** An exporter of spans or log records, as their processors call it. */
export interface BatchExporter<T> {
  export(items: T[], done: (result: ExportResult) => void): void;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

/**
 * Makes an exporter like OpenTelemetry's over HTTP, except that it encodes a batch in slices, between which requests
 * can continue. Encoded at once, the 512 spans of a batch delay all requests by up to 10 ms, several times a second.
 */
export function createSlicedExporter<T>(
  config: { readonly url: string; readonly headers: Record<string, string> },
  { variables, item, contentType, serializer, join }: BatchFormat<T>,
): BatchExporter<T> {
  const delegate = createOtlpHttpExportDelegate<EncodedBatch, unknown>(
    convertLegacyHttpOptions(config, variables, `v1/${variables.toLowerCase()}`, { "Content-Type": contentType }),
    { serializeRequest: ({ body }) => body, deserializeResponse: (data) => serializer.deserializeResponse(data) },
    `otlp_http_${item}_exporter`,
    { name: item, countItems: ({ count }) => count },
    undefined,
  );
  const encoding = new Set<Promise<void>>();

  async function encode(items: readonly T[]): Promise<EncodedBatch> {
    const requests: Uint8Array[] = [];
    for (let from = 0; from < items.length; from += sliceSize) {
      if (from > 0) await nextTurn();
      const request = serializer.serializeRequest(items.slice(from, from + sliceSize));
      if (request !== undefined) requests.push(request);
    }
    return { count: items.length, body: join(requests) };
  }

  return {
    export(items, done) {
      const sent = encode(items)
        .then((batch) => delegate.export(batch, done))
        .catch((error: unknown) => done({ code: ExportResultCode.FAILED, error: error as Error }));
      encoding.add(sent);
      void sent.finally(() => encoding.delete(sent));
    },
    async forceFlush() {
      await Promise.all(encoding);
      await delegate.forceFlush();
    },
    async shutdown() {
      await Promise.all(encoding);
      await delegate.shutdown();
    },
  };
}
