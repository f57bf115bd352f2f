import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Packages that a service may use and need not install. */
export const optionalPeer: RegExp = /^openai(?:\/.*)?$/;

/** Id of the module that stands for a missing peer; ends like a JavaScript file so that bundlers treat it as one. */
export const missingPeerId = "\0tenon:missing-openai.js";

/** Source of that module: importing it fails like a package that is not there, with the way to install it. */
export const missingPeerCode = `throw Object.assign(
  new Error("The package \\"openai\\" is not part of this service. Install it with \\"npm install openai\\" and build again."),
  { code: "ERR_MODULE_NOT_FOUND" },
);
export default undefined;
`;

/** Whether node_modules above one of the folders holds the peer. */
export function isPeerInstalled(folders: readonly string[]): boolean {
  return folders.some((folder) => {
    for (let at = folder; ; at = dirname(at)) {
      if (existsSync(join(at, "node_modules", "openai", "package.json"))) return true;
      if (dirname(at) === at) return false;
    }
  });
}
