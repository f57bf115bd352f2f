import type { Config } from "./config.ts";
import type { Clock } from "../../base/clock.ts";

/** Where jobs find the platform. */
export interface PlatformSettings {
  /** The sidecar, without a slash at the end; undefined: artifacts and aspects are files of `localDir`. */
  readonly baseUrl: string | undefined;
  readonly localDir: string;
  /** Default the clock of the process. */
  readonly clock?: Clock;
  /** Milliseconds without a sign of life after which a call is tried again; default 60 000. */
  readonly timeout?: number;
}

/** What the configuration says of it: a service that is to be silent has no platform. */
export function platformSettings(
  config: Pick<Config, "platformBaseUrl" | "localDir"> & {
    readonly flags: Pick<Config["flags"], "testWithoutSidecar">;
  },
): PlatformSettings {
  const { platformBaseUrl, localDir, flags } = config;
  return { baseUrl: flags.testWithoutSidecar ? undefined : platformBaseUrl, localDir };
}

/** Without a platform, and with the usual folder. */
export const noPlatform: PlatformSettings = { baseUrl: undefined, localDir: ".tenon/local" };
