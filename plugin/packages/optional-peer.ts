import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { readPackageJson } from "./packages.ts";

/** Packages that a service may use without installing them. */
export const optionalPeer: RegExp = /^openai(?:\/.*)?$/;

/** Id of the module that replaces a missing peer; ends like a JavaScript file so that bundlers treat it as one. */
export const missingPeerId = "\0tenon:missing-openai.js";

/** Source of that module: importing it fails like a missing package, with instructions to install it. */
export const missingPeerCode = `throw Object.assign(
  new Error("The package \\"openai\\" is not part of this service. Install it in the service's project with \\"npm install openai\\", and build again."),
  { code: "ERR_MODULE_NOT_FOUND" },
);
export default undefined;
`;

/** An import of the peer. */
export interface PeerImport {
  readonly specifier: string;
  /** Folder of the importing file. */
  readonly folder: string;
  /** True when tenon's own runtime imports the peer for the author. */
  readonly own: boolean;
  /** Folder of the project's package.json. */
  readonly root: string;
}

/**
 * Resolves an import of a peer: to a file, or to the module that replaces a missing one; undefined leaves it to the
 * bundler. Tenon's own import resolves to the project's copy, even when tenon is linked, and only if the project's
 * package.json names the peer. A copy installed for other packages would make every service bigger and its build
 * slower.
 */
export function resolvePeer({ specifier, folder, own, root }: PeerImport): string | undefined {
  if (!own) return installedAt(folder) === undefined ? missingPeerId : undefined;
  const installed = specifier === "openai" && namesPeer(root) ? installedAt(root) : undefined;
  return installed === undefined ? missingPeerId : join(installed, "index.mjs");
}

function namesPeer(root: string): boolean {
  const json = readPackageJson(root);
  return ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"].some((field) => {
    const list = json[field];
    return typeof list === "object" && list !== null && Object.hasOwn(list, "openai");
  });
}

/** The nearest folder of the peer above a folder. */
function installedAt(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const installed = join(at, "node_modules", "openai");
    if (existsSync(join(installed, "package.json"))) return installed;
    if (dirname(at) === at) return undefined;
  }
}
