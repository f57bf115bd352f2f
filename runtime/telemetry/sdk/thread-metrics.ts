import {
  createNoopMeter,
  type Attributes,
  type Meter,
  type MeterProvider,
  type MetricOptions,
} from "@opentelemetry/api";
import { getLogger } from "../log/logging.ts";

/** The kinds of instruments whose values are sent as they are measured. */
type Kind = "Counter" | "UpDownCounter" | "Histogram" | "Gauge";

/** An instrument of a thread, as data from which it can be created again. */
interface Instrument {
  readonly meter: string;
  readonly version: string | undefined;
  readonly kind: Kind;
  readonly name: string;
  readonly options: MetricOptions | undefined;
}

/** Values that a thread has measured, in their order. A message describes each instrument once. */
export interface ThreadMeasures {
  readonly measures: readonly (readonly [Instrument, number, Attributes | undefined])[];
}

/** The meters of a worker thread. */
export interface ThreadMeters extends MeterProvider {
  /** Sends the measured values. */
  flush(): void;
}

/** Maximum number of values that are sent together, so that a loop that never yields does not fill the memory. */
const mostTogether = 1000;

/**
 * Meters whose values are sent to the main thread, which sums them over all threads and exports them. The main thread
 * cannot read an observable instrument of a thread, so a log line says that it is not exported.
 */
export function createThreadMeters(send: (message: ThreadMeasures) => void): ThreadMeters {
  let pending: ThreadMeasures["measures"][number][] = [];
  let turn: NodeJS.Immediate | undefined;
  const flush = (): void => {
    clearImmediate(turn);
    turn = undefined;
    if (pending.length === 0) return;
    const measures = pending;
    pending = [];
    send({ measures });
  };
  const measure = (instrument: Instrument, value: number, attributes: Attributes | undefined): void => {
    pending.push([instrument, value, attributes && { ...attributes }]);
    if (pending.length >= mostTogether) flush();
    else turn ??= setImmediate(flush);
  };
  return { getMeter: (name, version) => threadMeter(name, version, measure), flush };
}

type Measure = (instrument: Instrument, value: number, attributes: Attributes | undefined) => void;

function threadMeter(meter: string, version: string | undefined, measure: Measure): Meter {
  const noop = createNoopMeter();
  const told = new Set<string>();
  const noted = (kind: Kind, name: string, options: MetricOptions | undefined) => {
    const instrument: Instrument = { meter, version, kind, name, options };
    const take = (value: number, attributes?: Attributes): void => measure(instrument, value, attributes);
    return { add: take, record: take, enabled: () => true };
  };
  const refuse = (name: string): void => {
    if (told.has(name)) return;
    told.add(name);
    getLogger("tenon").warn(
      `telemetry: the observable instrument ${JSON.stringify(name)} of a worker thread is not exported. Measure with a ` +
        "counter, a histogram or a gauge there, or observe in the main thread.",
    );
  };
  return {
    createCounter: (name, options) => noted("Counter", name, options),
    createUpDownCounter: (name, options) => noted("UpDownCounter", name, options),
    createHistogram: (name, options) => noted("Histogram", name, options),
    createGauge: (name, options) => noted("Gauge", name, options),
    createObservableCounter(name, options) {
      refuse(name);
      return noop.createObservableCounter(name, options);
    },
    createObservableUpDownCounter(name, options) {
      refuse(name);
      return noop.createObservableUpDownCounter(name, options);
    },
    createObservableGauge(name, options) {
      refuse(name);
      return noop.createObservableGauge(name, options);
    },
    addBatchObservableCallback() {},
    removeBatchObservableCallback() {},
  };
}

/** Creates a function that records the values of threads with instruments of the main thread. */
export function replayMeasures(provider: MeterProvider): (message: ThreadMeasures) => void {
  const made = new Map<string, (value: number, attributes?: Attributes) => void>();
  const make = ({ meter: scope, version, kind, name, options }: Instrument): ReturnType<typeof made.get> => {
    const meter = provider.getMeter(scope, version);
    if (kind === "Histogram" || kind === "Gauge") {
      const instrument = meter[`create${kind}`](name, options);
      return (value, attributes) => instrument.record(value, attributes);
    }
    const instrument = meter[`create${kind}`](name, options);
    return (value, attributes) => instrument.add(value, attributes);
  };
  return ({ measures }) => {
    for (const [instrument, value, attributes] of measures) {
      const { meter, version, kind, name } = instrument;
      const key = JSON.stringify([meter, version, kind, name]);
      let count = made.get(key);
      if (count === undefined) {
        count = make(instrument);
        if (count === undefined) continue;
        made.set(key, count);
      }
      count(value, attributes);
    }
  };
}
