import { CommandError } from "../../base/usage.ts";
import { compareContracts } from "../compare-contracts.ts";
import { applyExceptions, fails, type JudgedFinding } from "../exceptions.ts";
import { parseContract } from "../parse-contract.ts";
import { showAtRef } from "./git.ts";
import { readExceptions } from "./read-exceptions.ts";

/** A definition under version control, as `tenon dev` found it. */
export interface CommittedFile {
  readonly file: string;
  /** Text of the definition when `tenon dev` started. It replaces the committed text if there is no repository. */
  readonly atStart: string | undefined;
  /** Folder of the project, which contains the exceptions. */
  readonly root: string;
}

/** Differences between the committed definition and another one; the answer of `GET /service.json/changes`. */
export interface CommittedChanges {
  /** Name of the contract with which the definition is compared; null if there is none. */
  readonly against: string | null;
  /** Reason why there is nothing to compare. */
  readonly absent?: string;
  /** The most severe findings first; `fails`: the finding breaks callers, and no exception allows it. */
  readonly findings: readonly (JudgedFinding & { readonly fails: boolean })[];
}

/** Compares by the rules of `tenon check --against`. Throws a `CommandError` for exceptions that cannot be read. */
export function changesSince({ file, atStart, root }: CommittedFile, definition: string): CommittedChanges {
  const committed = textAtHead(file);
  const before = committed ?? atStart;
  if (before === undefined) return none(`${file} is not committed yet, and was not there when tenon dev began.`);
  const [old, now] = [parseContract(before), parseContract(definition)];
  if (typeof old === "string") return none(`${file}: ${old}.`);
  if (typeof now === "string") return none(now);
  const { findings } = applyExceptions(
    compareContracts(old, now),
    readExceptions(root),
    new Date().toISOString().slice(0, 10),
  );
  const against = committed === undefined ? "the file as it was when tenon dev began" : "the commit HEAD";
  return { against, findings: findings.map((finding) => ({ ...finding, fails: fails(finding) })) };
}

function none(absent: string): CommittedChanges {
  return { against: null, absent, findings: [] };
}

function textAtHead(file: string): string | undefined {
  try {
    return showAtRef("HEAD", file);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    // git fails if there is no repository, or no commit yet.
    return undefined;
  }
}
