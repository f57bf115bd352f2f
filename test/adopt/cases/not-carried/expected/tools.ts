import { toResult } from "../input/results.js";
import { contentOf } from "./adopted-results.js";
import type { Content } from "tenon";

// Not carried over: give it a value, or import it.
declare const extra: any;

interface Client {
  find(text: string): Promise<string[]>;
}

// Not carried over: give it a value, or import it.
declare const client: Client;

/** @schema urn:example:schema.search-notes.request.1 */
export interface SearchNotesRequest {
  text: string;
  range: Range;
  code: string;
  made?: string;
  match: string;
  count: number;
  other: unknown;
}

export interface Range {
  from: number;
  to: number;
}

/** @schema urn:example:schema.handled.request.1 */
export interface HandledRequest {
  a: string;
}

/**
 * Searches notes.
 * @tool
 * @name search-notes
 */
export async function searchNotes({ text }: SearchNotesRequest): Promise<(string | Content)[]> {
  if (extra.signal.aborted) throw new Error("stopped");
  return contentOf(toResult(await client.find(String(text))));
}

/**
 * Is handled elsewhere.
 * @tool
 */
export async function handled(request: HandledRequest): Promise<(string | Content)[]> {
  return contentOf(await toResult(request));
}
