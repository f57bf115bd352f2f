/** Attributes of a log record for a format: the names of Python's `logging`, and the ids of the job. */
export interface FormattedRecord {
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly name: string;
  readonly levelname: string;
  readonly levelno: number;
  readonly message: string;
  readonly job_id?: string | undefined;
  readonly tool?: string | undefined;
  readonly trace_id?: string | undefined;
  readonly span_id?: string | undefined;
  /** Place in the code; read only when the format shows it. */
  readonly source?: RecordSource | undefined;
}

export interface RecordSource {
  readonly path: string;
  readonly line: number;
  readonly function: string;
}

export interface PercentFormat {
  /** The format shows file, line or function, which costs a stack trace per record. */
  readonly needsSource: boolean;
  /** One line without a line break at its end. */
  format(record: FormattedRecord): string;
}

type Value = string | number;
type Attribute = (record: FormattedRecord) => Value;

const maxLength = 4096;
/** Characters that a field may be filled up or cut to. */
const maxWidth = 1000;
/** Digits after the point that a number can be written with. */
const maxDigits = 100;
const startOfProcess = Date.now() - performance.now();

const attributes: Readonly<Record<string, Attribute>> = {
  name: ({ name }) => name,
  levelname: ({ levelname }) => levelname,
  levelno: ({ levelno }) => levelno,
  message: ({ message }) => message,
  asctime: ({ created }) => localTime(created),
  created: ({ created }) => created / 1000,
  msecs: ({ created }) => created % 1000,
  relativeCreated: ({ created }) => created - startOfProcess,
  pathname: ({ source }) => source?.path ?? "",
  filename: ({ source }) => fileName(source),
  module: ({ source }) => fileName(source).replace(/\.[^.]*$/, ""),
  lineno: ({ source }) => source?.line ?? 0,
  funcName: ({ source }) => source?.function ?? "",
  process: () => process.pid,
  processName: () => "MainProcess",
  thread: () => threadId(),
  threadName: () => (threadId() === 0 ? "MainThread" : `Thread-${threadId()}`),
  taskName: ({ job_id }) => job_id ?? "None",
  job_id: (record) => record.job_id ?? "-",
  tool: (record) => record.tool ?? "-",
  trace_id: (record) => record.trace_id ?? "-",
  span_id: (record) => record.span_id ?? "-",
};
const sourceAttributes: ReadonlySet<string> = new Set(["pathname", "filename", "module", "lineno", "funcName"]);

const field = /%(?:%|\((\w+)\)([#0+ -]*)(\d+)?(?:\.(\d*))?([A-Za-z%])?|.?)/gs;

/**
 * Reads a format as `PLATFORM_LOG_FORMAT` has it: text with `%(attribute)s` fields, flags, widths and precisions as in
 * Python's percent style. Throws an `Error` that says what is wrong with it and where.
 */
export function parsePercentFormat(text: string): PercentFormat {
  if (text.length > maxLength) throw new Error(`it is longer than ${maxLength} characters`);
  const parts: (string | ((record: FormattedRecord) => string))[] = [];
  let end = 0;
  let needsSource = false;
  for (const match of text.matchAll(field)) {
    parts.push(text.slice(end, match.index));
    end = match.index + match[0].length;
    if (match[0] === "%%") parts.push("%");
    else {
      parts.push(parseField(match));
      needsSource ||= sourceAttributes.has(match[1] ?? "");
    }
  }
  if (!parts.some((part) => typeof part === "function"))
    throw new Error("it shows nothing of a record; write at least %(message)s");
  parts.push(text.slice(end));
  return {
    needsSource,
    format: (record) => parts.map((part) => (typeof part === "string" ? part : part(record))).join(""),
  };
}

function parseField(match: RegExpExecArray): (record: FormattedRecord) => string {
  const [whole, name, flags = "", width = "0", precision, type] = match;
  const at = `at character ${match.index + 1}`;
  if (name === undefined)
    throw new Error(`${JSON.stringify(whole)} ${at} is not a valid field; write %(message)s, or %% for a percent sign`);
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (attribute === undefined) {
    throw new Error(
      `there is no attribute ${JSON.stringify(name)} (${at}); there are ${Object.keys(attributes).join(", ")}`,
    );
  }
  if (type === undefined) throw new Error(`the field %(${name}) ${at} has no type; write %(${name})s`);
  if (!/^[srdiuoxXeEfFgG]$/.test(type))
    throw new Error(`the field %(${name}) ${at} has the type ${type}; s, d and f are usual`);
  if (width.length > 4 || Number(width) > maxWidth)
    throw new Error(`the width of %(${name}) ${at} is over ${maxWidth}`);
  const isText = type === "s" || type === "r";
  const limit = isText ? maxWidth : maxDigits;
  if (precision !== undefined && (precision.length > 4 || Number(precision) > limit)) {
    throw new Error(`the precision of %(${name}) ${at} is over ${limit}`);
  }
  const sample = attribute({ created: 0, name: "", levelname: "", levelno: 0, message: "" });
  if (!isText && typeof sample !== "number") throw new Error(`%(${name}) ${at} is text, so its type must be s`);
  const spec: FieldSpec = {
    flags,
    width: Number(width),
    precision: precision === undefined ? undefined : Number(precision),
    type,
  };
  return (record) => convert(attribute(record), spec);
}

interface FieldSpec {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly type: string;
}

function convert(value: Value, { flags, width, precision, type }: FieldSpec): string {
  if (typeof value === "string" || type === "s" || type === "r") {
    const text = type === "r" && typeof value === "string" ? `'${value.replace(/['\\]/g, "\\$&")}'` : String(value);
    return pad(precision === undefined ? text : [...text].slice(0, precision).join(""), width, flags.includes("-"));
  }
  const digits = digitsOf(Math.abs(value), precision, type);
  const prefix = flags.includes("#") ? (prefixes[type] ?? "") : "";
  const sign = (value < 0 ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "") + prefix;
  if (flags.includes("0") && !flags.includes("-")) return sign + digits.padStart(width - sign.length, "0");
  return pad(sign + digits, width, flags.includes("-"));
}

const prefixes: Readonly<Record<string, string>> = { o: "0o", x: "0x", X: "0X" };

function digitsOf(value: number, precision: number | undefined, type: string): string {
  switch (type) {
    case "e":
    case "E": {
      const text = value.toExponential(precision ?? 6).replace(/e([+-])(\d)$/, "e$10$2");
      return type === "E" ? text.toUpperCase() : text;
    }
    case "f":
    case "F":
      return value.toFixed(precision ?? 6);
    case "g":
    case "G": {
      const text = general(value, precision === 0 ? 1 : (precision ?? 6));
      return type === "G" ? text.toUpperCase() : text;
    }
    default: {
      const base = type === "o" ? 8 : type === "x" || type === "X" ? 16 : 10;
      const text = Math.trunc(value)
        .toString(base)
        .padStart(precision ?? 0, "0");
      return type === "X" ? text.toUpperCase() : text;
    }
  }
}

/** `%g`: the shorter of both forms, without zeros at the end. */
function general(value: number, precision: number): string {
  const exponent = value === 0 ? 0 : Number(value.toExponential(precision - 1).split("e")[1]);
  const stripped = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (exponent >= -4 && exponent < precision)
    return stripped(value.toFixed(Math.min(maxDigits, precision - 1 - exponent)));
  const [mantissa = "", power = ""] = value.toExponential(precision - 1).split("e");
  return `${stripped(mantissa)}e${power.replace(/^([+-])(\d)$/, "$10$2")}`;
}

function pad(text: string, width: number, left: boolean): string {
  return left ? text.padEnd(width) : text.padStart(width);
}

/** `2026-11-20T08:39:11+0000`, in the time zone of the process. */
function localTime(milliseconds: number): string {
  const offset = -new Date(milliseconds).getTimezoneOffset();
  const local = new Date(milliseconds + offset * 60_000).toISOString().slice(0, 19);
  const two = (value: number): string => String(Math.trunc(Math.abs(value))).padStart(2, "0");
  return `${local}${offset < 0 ? "-" : "+"}${two(offset / 60)}${two(offset % 60)}`;
}

function fileName(source: RecordSource | undefined): string {
  return source?.path.replace(/^.*[/\\]/, "") ?? "";
}

function threadId(): number {
  return process.getBuiltinModule("node:worker_threads").threadId;
}
