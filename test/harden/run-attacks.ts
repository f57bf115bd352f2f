import type { Attack, AttackContext, Finding } from "./attack.ts";
import { attackWithBucketKills, attackWithFolderKills } from "./artifact-kills.ts";
import { attackWithBuckets } from "./buckets.ts";
import { attackWithCostlyTypes } from "./codecs.ts";
import { attackWithOrigins, attackWithTokens } from "./doors.ts";
import { attackJson } from "./json-suite.ts";
import { attackWithLoad } from "./load.ts";
import { attackWithFullDisk, attackWithKills } from "./losses.ts";
import { attackWithStrings } from "./naughty.ts";
import { attackWithKept } from "./kept.ts";
import { attackWithPacks } from "./packs.ts";
import { attackWithQueue } from "./queue.ts";
import { attackAtRandom } from "./random-requests.ts";
import { attackWithCrowd, attackWithOddRequests, attackWithSessions } from "./strangers.ts";
import { attackWithChunks, attackWithReaders, attackWithSilence } from "./slow-clients.ts";
import { attackWithWatchers } from "./watchers.ts";

/** All attacks, in the order of the table. */
export const attacks: Readonly<Record<string, Attack>> = {
  json: attackJson,
  strings: attackWithStrings,
  random: attackAtRandom,
  odd: attackWithOddRequests,
  origins: attackWithOrigins,
  tokens: attackWithTokens,
  sessions: attackWithSessions,
  crowd: attackWithCrowd,
  chunks: attackWithChunks,
  readers: attackWithReaders,
  silence: attackWithSilence,
  watchers: attackWithWatchers,
  queue: attackWithQueue,
  kept: attackWithKept,
  load: attackWithLoad,
  codecs: attackWithCostlyTypes,
  disk: attackWithFullDisk,
  buckets: attackWithBuckets,
  "folder-kills": attackWithFolderKills,
  "bucket-kills": attackWithBucketKills,
  packs: attackWithPacks,
  kills: attackWithKills,
};

/** Runs attacks one after the other, since what they measure is memory and time. */
export async function runAttacks(context: AttackContext, names: readonly string[]): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const name of names) {
    const attack = attacks[name];
    if (attack === undefined)
      throw new Error(`There is no attack "${name}"; there are ${Object.keys(attacks).join(", ")}.`);
    context.log(name);
    const finding = await attack(context);
    findings.push(finding);
    // A run that is ended before its time has said what it knows.
    context.log(`${name}: ${finding.inputs}: ${finding.result}`);
  }
  return findings;
}
