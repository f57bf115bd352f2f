import type { Config } from "./config.ts";
import type { Clock } from "../../base/clock.ts";

/** Address and settings of the platform, for jobs. */
export interface PlatformSettings {
  /** Address of the sidecar, without a slash at the end. Undefined: artifacts and aspects are files of `localDir`. */
  readonly baseUrl: string | undefined;
  readonly localDir: string;
  /** Default: the clock of the process. */
  readonly clock?: Clock;
  /** Milliseconds without data after which a call is retried; default 60 000. */
  readonly timeout?: number;
}

/** Platform settings from the configuration. A service in silent mode has no platform. */
export function platformSettings(
  config: Pick<Config, "platformBaseUrl" | "localDir"> & {
    readonly flags: Pick<Config["flags"], "testWithoutSidecar">;
  },
): PlatformSettings {
  const { platformBaseUrl, localDir, flags } = config;
  return { baseUrl: flags.testWithoutSidecar ? undefined : platformBaseUrl, localDir };
}

/** Settings without a platform: artifacts and aspects are files of the default folder. */
export const noPlatform: PlatformSettings = { baseUrl: undefined, localDir: ".tenon/local" };
