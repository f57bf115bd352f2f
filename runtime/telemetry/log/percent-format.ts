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
  /** Position in the code; read only when the format shows it. */
  readonly source?: RecordSource | undefined;
}

export interface RecordSource {
  readonly path: string;
  readonly line: number;
  readonly function: string;
}

export interface PercentFormat {
  /** True if the format shows file, line or function, which costs a stack trace per record. */
  readonly needsSource: boolean;
  /** One line without a line break at its end. */
  format(record: FormattedRecord): string;
}

type Value = string | number;
type Attribute = (record: FormattedRecord) => Value;

const maxLength = 4096;
/** Maximum width of a field in the format. */
const maxWidth = 1000;
/** Maximum number of digits that `toFixed` supports. */
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

const field = /%(?:%|\((\w+)\)([0-]*)(\d*)(?:\.(\d*))?(.?)|.?)/gs;

/**
 * Parses the format in `PLATFORM_LOG_FORMAT`: text with `%(attribute)s` fields as in Python's percent style, of the
 * types s, r, d, i, f and x, with width, precision and the flags `-` and `0`. Throws an `Error` with the mistake and
 * its position.
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
  const [whole, name, flags = "", width = "", precision, type = ""] = match;
  const at = `at character ${match.index + 1}`;
  if (name === undefined)
    throw new Error(`${JSON.stringify(whole)} ${at} is not a valid field; write %(message)s, or %% for a percent sign`);
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (attribute === undefined) {
    throw new Error(
      `there is no attribute ${JSON.stringify(name)} (${at}); there are ${Object.keys(attributes).join(", ")}`,
    );
  }
  const convert = conversions[type];
  if (convert === undefined) {
    throw new Error(
      `the field %(${name}) ${at} must end in a type, one of ${Object.keys(conversions).join(", ")}, ` +
        `after at most flags (- or 0), a width and a precision; write %(${name})s`,
    );
  }
  const sample = attribute({ created: 0, name: "", levelname: "", levelno: 0, message: "" });
  const isText = type === "s" || type === "r";
  if (!isText && typeof sample !== "number") throw new Error(`%(${name}) ${at} is text, so its type must be s`);
  if (Number(width) > maxWidth) throw new Error(`the width of %(${name}) ${at} is over ${maxWidth}`);
  const most = isText ? maxWidth : maxDigits;
  if (Number(precision ?? 0) > most) throw new Error(`the precision of %(${name}) ${at} is over ${most}`);
  const cut = precision === undefined ? undefined : Number(precision);
  return (record) => {
    const text = convert(attribute(record), cut);
    if (flags.includes("-")) return text.padEnd(Number(width));
    if (isText || !flags.includes("0")) return text.padStart(Number(width));
    const sign = text.startsWith("-") ? "-" : "";
    return sign + text.slice(sign.length).padStart(Number(width) - sign.length, "0");
  };
}

type Conversion = (value: Value, precision: number | undefined) => string;

const conversions: Readonly<Record<string, Conversion | undefined>> = {
  s: (value, precision) => cutTo(String(value), precision),
  r: (value, precision) =>
    cutTo(typeof value === "string" ? `'${value.replace(/['\\]/g, "\\$&")}'` : String(value), precision),
  d: wholeNumber(10),
  i: wholeNumber(10),
  f: (value, precision = 6) => Number(value).toFixed(precision),
  x: wholeNumber(16),
};

/** Formats whole numbers; the precision is the minimum number of digits. */
function wholeNumber(base: number): Conversion {
  return (value, precision = 0) => {
    const number = Math.trunc(Number(value));
    return (number < 0 ? "-" : "") + Math.abs(number).toString(base).padStart(precision, "0");
  };
}

function cutTo(text: string, length: number | undefined): string {
  return length === undefined ? text : [...text].slice(0, length).join("");
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
