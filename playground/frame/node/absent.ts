/** Stand-in for what a tool in the playground does not have: a platform, files, a language model, a network. */
function absent(): never {
  throw new Error("The playground has no platform, no files and no network.");
}

/** A value whose every member throws when it is called. */
const nothing = (): object => new Proxy(absent, { get: (_, name) => (name === "then" ? undefined : absent) });

export { absent as createLlmClient, nothing as createFakePlatform, nothing as createJobPlatform };
