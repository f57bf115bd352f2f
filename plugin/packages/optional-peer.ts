import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { readPackageJson } from "./read-package-json.ts";

interface Peer {
  /** File of the package that is bundled, relative to the package's folder. */
  readonly file: string;
  /** True for a package that author code may import without installing it; otherwise the bundler reports the import. */
  readonly forAuthors: boolean;
  /** Name of a package that depends on this one: the project may depend on that package instead. */
  readonly partOf?: string;
  /** True if the project's copy is preferred to tenon's, provided it has the same major version and is not older. */
  readonly isShared?: true;
}

// Uses the CommonJS file, since the ES modules load gRPC by a `require` that bundlers do not see, so that gRPC would
// not be bundled.
const grpcExporter: Peer = { file: "dist/index.cjs", forAuthors: false, partOf: "@opentelemetry/sdk-node" };

/** Propagators of B3; sdk-node installs them as well. */
const b3: Peer = { file: "dist/index.mjs", forAuthors: false, partOf: "@opentelemetry/sdk-node" };

const peers: { readonly [name: string]: Peer } = {
  openai: { file: "index.mjs", forAuthors: true },
  pg: { file: "esm/index.mjs", forAuthors: false },
  // An optional dependency of `pg` that some bundlers cannot resolve.
  "pg-native": { file: "index.js", forAuthors: true },
  // This package is installed with tenon. A service must still contain only one copy, through which the spans of the
  // author and of tenon are connected.
  "@opentelemetry/api": { file: "dist/index.mjs", forAuthors: false, isShared: true },
  ...Object.fromEntries(
    ["logs", "metrics", "trace"].map((signal) => [`@opentelemetry/exporter-${signal}-otlp-grpc`, grpcExporter]),
  ),
  "@opentelemetry/propagator-b3": b3,
};

/** Packages that a service may use without installing them. */
export const peerNames: readonly string[] = Object.keys(peers);

/** Matches imports of packages that a service may use without installing them. */
export const optionalPeer: RegExp =
  /^(?:openai(?:\/.*)?|pg|pg-native|@opentelemetry\/(?:api|propagator-b3|exporter-[a-z]+-otlp-grpc))$/;

/**
 * Ids of the modules that replace missing peers; they end like JavaScript files so that bundlers treat them as such.
 */
export const missingPeerIds: RegExp = /^\0tenon:missing-([a-z0-9.-]+)\.js$/;

/**
 * Returns the id of the module that replaces a missing peer, without `@` and slashes, which bundlers would read as a
 * path.
 */
function missingPeerId(name: string): string {
  return `\0tenon:missing-${name.replace("@", "").replace("/", ".")}.js`;
}

/**
 * Returns the source of a module that replaces a missing peer: importing it fails like a missing package, with
 * instructions to install it.
 */
export function missingPeerCode(id: string): string | undefined {
  const name = peerNames.find((peer) => missingPeerId(peer) === id);
  if (name === undefined) return undefined;
  const message =
    `The package "${name}" is not part of this service. Install it in the service's project with "npm install ${name}", ` +
    "and build again.";
  return `throw Object.assign(new Error(${JSON.stringify(message)}), { code: "ERR_MODULE_NOT_FOUND" });
export default undefined;
`;
}

/** An import of an optional peer dependency. */
export interface PeerImport {
  readonly specifier: string;
  /** Folder of the importing file. */
  readonly folder: string;
  /** True when tenon's own runtime imports the peer. */
  readonly own: boolean;
  /** Folder of the project's package.json. */
  readonly root: string;
}

/**
 * Resolves an import of a peer dependency: to a file, or to a module that replaces a missing peer; undefined leaves it
 * to the bundler. Tenon's own imports resolve to the project's copy, even when tenon is linked, but only if the
 * project's package.json names the peer. Otherwise a copy that was installed for other packages would make every
 * service larger and its build slower.
 */
export function resolvePeer({ specifier, folder, own, root }: PeerImport): string | undefined {
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const peer = peers[name];
  if (peer === undefined || (!own && !peer.forAuthors)) return undefined;
  if (!own) return installedAt(folder, name) === undefined ? missingPeerId(name) : undefined;
  if (peer.isShared === true) return sharedCopy(root, name, peer);
  const installed = specifier === name ? installedFor(root, name, peer) : undefined;
  return installed === undefined ? missingPeerId(name) : join(installed, peer.file);
}

/** Finds the project's copy; undefined if there is none or an older one, so that tenon's copy is used. */
function sharedCopy(root: string, name: string, { file }: Peer): string | undefined {
  const installed = installedAt(root, name);
  const [major, minor = 0] = String(installed && readPackageJson(installed)["version"])
    .split(".")
    .map(Number);
  if (installed === undefined || major !== 1 || minor < 10) return undefined;
  // The real path, since bundlers resolve symbolic links for the author's import.
  return join(realpathSync(installed), file);
}

/** Finds the folder of the project's copy, if its package.json names the peer or a package that depends on it. */
function installedFor(root: string, name: string, { partOf }: Peer): string | undefined {
  if (namesPeer(root, name)) return installedAt(root, name);
  const whole = partOf !== undefined && namesPeer(root, partOf) ? installedAt(root, partOf) : undefined;
  return whole && installedAt(realpathSync(whole), name);
}

function namesPeer(root: string, name: string): boolean {
  const json = readPackageJson(root);
  return ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"].some((field) => {
    const list = json[field];
    return typeof list === "object" && list !== null && Object.hasOwn(list, name);
  });
}

/** The folder of a package in the nearest node_modules above a folder. */
export function installedAt(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const installed = join(at, "node_modules", name);
    if (existsSync(join(installed, "package.json"))) return installed;
    if (dirname(at) === at) return undefined;
  }
}
