import { contentOf } from "./adopted-results.js";
import { readFile } from "node:fs/promises";
import { ValueError, type Content } from "tenon";

const greeting = "Hello";

/** Makes a greeting. */
function greet(name: string): string {
  return `${greeting}, ${name}!`;
}

/** @schema urn:example:schema.greet-person.request.1 */
export interface GreetPersonRequest {
  /**
   * Name of the person
   * @minLength 1
   */
  name: string;
  /** @default false */
  loud: boolean;
}

const suffix = ".txt";

/** @schema urn:example:schema.read-note.request.1 */
export interface ReadNoteRequest {
  title: string;
}

/** @schema urn:example:schema.add.result.1 */
export interface AddResult {
  sum: number;
}

/** @schema urn:example:schema.add.request.1 */
export interface AddRequest {
  a: number;
  b: number;
}

/** @schema urn:example:schema.draw.request.1 */
export interface DrawRequest {
  /**
   * @type integer
   * @exclusiveMinimum 0
   */
  width: number;
}

/**
 * Greets a person, by name.
 * @tool
 * @name greet-person
 * @title Greet
 * @readonly
 */
export async function greetPerson({ name, loud }: GreetPersonRequest): Promise<string> {
  const text = greet(name);
  return loud ? text.toUpperCase() : text;
}

/**
 * Reads a note.
 * @tool
 * @name read_note
 */
export async function readNote({ title }: ReadNoteRequest): Promise<string> {
  try {
    const text = await readFile(title + suffix, "utf8");
    if (text === "") return Promise.reject(new ValueError("It is empty"));
    return text;
  } catch (error) {
    throw new ValueError(`Cannot read: ${error}`);
  }
}

/**
 * Adds two numbers.
 * @tool
 */
export function add({ a, b }: AddRequest): AddResult {
  const output = { sum: a + b };
  return output;
}

/**
 * Ping.
 * @tool
 */
export async function ping(): Promise<string> {
  return "pong";
}

/**
 * Draws a picture.
 * @tool
 */
export async function draw(args: DrawRequest): Promise<(string | Content)[]> {
  return contentOf({ content: [{ type: "image", data: btoa(String(args.width)), mimeType: "image/png" }] });
}
