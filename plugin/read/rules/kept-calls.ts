import { ts } from "ts-morph";
import { placeOf, report, type Reading } from "../base/reading.ts";
import { checkBlocks } from "./blocks-around-waits.ts";
import { contains, checkCaptured } from "./captured.ts";

/** A call whose result is stored, in the form that the rules check. */
interface Call {
  readonly node: ts.CallExpression;
  readonly run?: ts.Expression;
  readonly call: { readonly kind: "step" | "wait" | "sleep"; readonly name?: string; readonly keyed?: true };
}

/** Checks the positions of calls whose results are stored by name. */
export function checkKeptCalls(reading: Reading, calls: readonly Call[]): void {
  const runs = new Set(calls.flatMap(({ run }) => run ?? []));
  const owners = new Map<ts.Node, Map<string, ts.Node>>();
  for (const one of calls) {
    const { node, call, run } = one;
    const owner = ownerOf(node);
    const names = owners.get(owner) ?? new Map<string, ts.Node>();
    owners.set(owner, names);
    if (call.name !== undefined) {
      const kind = call.kind === "sleep" ? "sleep" : call.kind === "wait" ? "message" : "step";
      if (names.has(call.name)) reportTwice(reading, node, call.name, "function");
      else names.set(call.name, node);
      const loop = call.keyed === true || call.kind === "sleep" ? undefined : loopAround(node, owner);
      if (loop !== undefined) reportLoop(reading, node, { name: call.name, kind, loop });
    }
    if (call.kind !== "step") checkBlocks(reading, node, { runs, kind: call.kind });
    if (run !== undefined) checkCaptured(reading, run, owner);
  }
  // A method that is taken from the job may be what is awaited, and has a finding of its own.
  if (reading.diagnostics.some(({ code }) => code === "TN133")) return;
  for (const owner of owners.keys()) checkEffects(reading, owner, { calls, runs });
}

/** Checks the names of the calls that a tool makes in its functions: they are found by the name in one job. */
export function checkNamesOfTool(reading: Reading, calls: readonly Call[]): void {
  const owners = new Map<string, ts.Node>();
  for (const { node, call } of calls) {
    if (call.name === undefined) continue;
    const owner = ownerOf(node);
    const known = owners.get(`${call.kind} ${call.name}`);
    // Calls of one function are reported for the function.
    if (known !== undefined && known !== owner) reportTwice(reading, node, call.name, "tool");
    owners.set(`${call.kind} ${call.name}`, known ?? owner);
  }
}

/** Returns the outermost function that contains a node. This function runs once per attempt. */
function ownerOf(node: ts.Node): ts.Node {
  let owner: ts.Node = node.getSourceFile();
  for (let at = node.parent; at !== undefined; at = at.parent) if (ts.isFunctionLike(at)) owner = at;
  return owner;
}

function reportTwice(reading: Reading, node: ts.CallExpression, name: string, of: "function" | "tool"): void {
  report(reading, {
    code: "TN123",
    place: placeOf(node.arguments[0] ?? node),
    message: `Two calls of this ${of} are called \`${name}\`, so that one would find the result of the other.`,
    fix: "give each a name of its own",
  });
}

const repeating: ReadonlySet<string> = new Set(
  "map forEach flatMap filter find some every reduce reduceRight from times".split(" "),
);

/** The loop that repeats a call: a statement, or a callback of a method such as `map`. */
function loopAround(node: ts.Node, owner: ts.Node): string | undefined {
  for (let at = node; at !== owner; at = at.parent) {
    const { parent } = at;
    if (ts.isIterationStatement(parent, false) && parent.statement === at) return "a loop";
    if ((ts.isWhileStatement(parent) || ts.isDoStatement(parent)) && parent.expression === at) return "a loop";
    const isPassed = ts.isFunctionLike(at) && ts.isCallExpression(parent) && parent.arguments.includes(at as never);
    const method = isPassed && ts.isPropertyAccessExpression(parent.expression) ? parent.expression.name.text : "";
    if (repeating.has(method)) return `the function of \`${method}\``;
  }
  return undefined;
}

function reportLoop(
  reading: Reading,
  node: ts.CallExpression,
  { name, kind, loop }: { readonly name: string; readonly kind: string; readonly loop: string },
): void {
  report(reading, {
    code: "TN124",
    place: placeOf(node.arguments[0] ?? node),
    message: `The ${kind} \`${name}\` is in ${loop} and has no key, so that each turn would find the result of the first.`,
    fix: "add what tells the turns apart: `{ key: item.id }`",
  });
}

interface Effects {
  readonly calls: readonly Call[];
  readonly runs: ReadonlySet<ts.Node>;
}

/**
 * Matches methods of a job, and of its parts, that may be awaited outside of steps: they only report, or their results
 * are stored.
 */
const harmless = /\.(?:report|logger|signal)\b|\.(?:ask|request|step|sleep|wait|llmClient)$/;

/** Warns about awaited calls outside of steps: each attempt repeats them. */
function checkEffects(reading: Reading, owner: ts.Node, { calls, runs }: Effects): void {
  const kept = new Set<ts.Node>(calls.map(({ node }) => node));
  const holdsKept = (node: ts.Node): boolean => kept.has(node) || (ts.forEachChild(node, holdsKept) ?? false);
  const visit = (node: ts.Node): void => {
    if (runs.has(node)) return;
    const call = ts.isAwaitExpression(node) ? calledBy(node.expression) : undefined;
    if (call !== undefined && !holdsKept(call) && !isKeptElsewhere(reading, call, calls))
      report(reading, {
        code: "TN209",
        place: placeOf(call),
        message: `\`${call.expression.getText().replace(/\s+/g, " ").slice(0, 60)}\` is awaited beside the steps, so that every attempt of the job does it again.`,
        fix: 'put it into a step: `job.step("name", () => …)`',
      });
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(owner, visit);
}

function calledBy(expression: ts.Expression): ts.CallExpression | undefined {
  let node = expression;
  while (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isNonNullExpression(node))
    node = node.expression;
  if (!ts.isCallExpression(node)) return undefined;
  const text = node.expression.getText().replace(/\[["'`](\w+)["'`]\]$/, ".$1");
  return harmless.test(text) || /^Promise\.\w+$/.test(text) ? undefined : node;
}

/** True for a call of a function of this module that has steps, or that gets the job and so may have steps. */
function isKeptElsewhere({ checker }: Reading, call: ts.CallExpression, calls: readonly Call[]): boolean {
  const declared = checker.getSymbolAtLocation(call.expression)?.valueDeclaration;
  const target = declared !== undefined && ts.isVariableDeclaration(declared) ? declared.initializer : declared;
  if (target !== undefined && calls.some(({ node }) => contains(target, node))) return true;
  return call.arguments.some((one) => ts.isIdentifier(one) && calls.some(({ node }) => jobOf(node) === one.text));
}

function jobOf(node: ts.CallExpression): string | undefined {
  const { expression } = node;
  const isAccess = ts.isPropertyAccessExpression(expression) || ts.isElementAccessExpression(expression);
  return isAccess && ts.isIdentifier(expression.expression) ? expression.expression.text : undefined;
}
