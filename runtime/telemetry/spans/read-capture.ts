import { getLogger } from "../log/logging.ts";

/** The standard variable for what is said to language models and what they answer. */
export const captureVariable = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

const yes: ReadonlySet<string> = new Set(["true", "span_only", "span_and_event"]);
const no: ReadonlySet<string> = new Set(["", "false", "no_content"]);

/** Reads {@link captureVariable}: true when spans have the contents. By default they do not. */
export function readCapture(text = ""): boolean {
  const value = text.trim().toLowerCase();
  if (!yes.has(value) && !no.has(value))
    getLogger("tenon").warn(
      `${captureVariable}: ${JSON.stringify(text)} is ignored, so contents are not sent; ` +
        `known are ${[...yes, ...no].filter((name) => name !== "").join(", ")}. Spans have them, events do not.`,
    );
  return yes.has(value);
}
