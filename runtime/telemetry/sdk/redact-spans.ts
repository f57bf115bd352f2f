import type { Attributes } from "@opentelemetry/api";
import { currentJob } from "../../job/current-job.ts";
import type { JsonObject } from "../../contract/contract.ts";
import { logState } from "../log/log-state.ts";
import type { SpanProcessor } from "./official.ts";

type OpenSpan = Parameters<SpanProcessor["onStart"]>[0];

/** Removes secrets from the spans of authors and of their instrumentations before they end. */
export function redactSpans(ownScope: string): SpanProcessor {
  return {
    onStart() {},
    onEnding: (span) => redactSpan(span, ownScope),
    onEnd() {},
    forceFlush: async () => {},
    shutdown: async () => {},
  };
}

/**
 * Removes secrets from what a span says so far. Tenon's own spans contain none: their texts are redacted when they are
 * made.
 */
export function redactSpan(span: OpenSpan, ownScope: string): void {
  if (span.instrumentationScope.name === ownScope) return;
  const { redactor } = logState();
  const token = currentJob.getStore()?.authorization;
  const clean = (attributes: Attributes | undefined): void => {
    if (attributes === undefined) return;
    const cleaned = redactor.fields(attributes as JsonObject, token);
    // Attribute names that contain a secret are replaced too.
    for (const name of Object.keys(attributes)) if (!(name in cleaned)) delete attributes[name];
    Object.assign(attributes, cleaned);
  };
  const name = redactor.text(span.name, token);
  if (name !== span.name) span.updateName(name);
  clean(span.attributes);
  for (const event of span.events) clean(event.attributes);
  for (const link of span.links) clean(link.attributes);
  const { message } = span.status;
  if (message !== undefined) span.status.message = redactor.text(message, token);
}
