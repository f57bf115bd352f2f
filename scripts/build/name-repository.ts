/**
 * Writes `repository`, `homepage` and `bugs` into the package.json of the working folder, from the repository that
 * publishes: the workflow's (`GITHUB_SERVER_URL`, `GITHUB_REPOSITORY`), or git's `origin`. Fields that stand there stay.
 * npm runs it before it packs (`prepublishOnly`); the publishing ends where the address cannot be determined.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

/** Address of the page of a repository, such as `https://github.com/owner/name`; undefined for anything else. */
function pageOf(remote: string): string | undefined {
  const [, host, path] =
    // Credentials in an address stay out of the package, and so does the port of SSH.
    /^(?:https:\/\/(?:[^@/]*@)?|ssh:\/\/(?:[^@/]*@)?)([\w.-]+)(?::\d+)?\/(.+)$/.exec(remote) ??
    /^(?:[\w.-]+@)?([\w.-]+):(?!\/)(.+)$/.exec(remote) ??
    [];
  const name = path?.replace(/\/+$/, "").replace(/\.git$/, "");
  if (host === undefined || name === undefined) return undefined;
  // A name of one's own SSH configuration, a machine's address or a folder is not where readers find the project.
  const isPublic = /\.[a-z]{2,}$/i.test(host) && /^[\w.-]+(?:\/[\w.-]+)+$/.test(name);
  return isPublic ? `https://${host}/${name}` : undefined;
}

const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
const fromWorkflow = server !== undefined && repository !== undefined ? `${server}/${repository}` : undefined;
const remote = fromWorkflow ?? spawnSync("git", ["remote", "get-url", "origin"], { encoding: "utf8" }).stdout.trim();
const page = pageOf(remote);
const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, unknown>;
if (page !== undefined) {
  const made = {
    homepage: `${page}#readme`,
    bugs: { url: `${page}/issues` },
    repository: { type: "git", url: `git+${page}.git` },
  };
  writeFileSync("package.json", `${JSON.stringify({ ...manifest, ...made, ...manifest }, null, 2)}\n`);
  console.log(`package.json names ${page}`);
} else if (["homepage", "bugs", "repository"].some((field) => manifest[field] === undefined)) {
  const found =
    remote === "" ? "There is no git remote named origin" : `The git remote is ${remote.replace(/\/\/[^@/]*@/, "//")}`;
  console.error(
    `${found}, so the package's repository is unknown: run \`git remote add origin https://HOST/OWNER/NAME.git\`, or write repository, homepage and bugs into package.json.`,
  );
  process.exitCode = 1;
}
