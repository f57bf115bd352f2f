/** Commands that install a project's packages, by the name of the lock file. */
const installers = [
  ["pnpm-lock.yaml", "pnpm-lock.yaml pnpm-workspace.yam[l]", "corepack enable && pnpm install --frozen-lockfile"],
  ["yarn.lock", "yarn.lock .yarnrc.ym[l]", "corepack enable && yarn install --immutable"],
  ["package-lock.json", "package-lock.json", "npm ci"],
] as const;

export interface DockerOptions {
  /** The name of the service in a compose file or a network. */
  readonly name: string;
  /** True for a file that the project has. */
  readonly has: (path: string) => boolean;
  /** Name of the entry in `dist`, such as `service.mjs`. */
  readonly output: string;
  /** Flags of the service. */
  readonly flags: readonly string[];
}

/**
 * Makes the files of an image, by path. The image contains `dist` and the Node that built it, since compiled code is
 * valid for one build of Node only. Its base image has neither a shell nor packages. The service writes nothing below
 * the root of the image.
 */
export function dockerFiles({ name, has, output, flags }: DockerOptions): Readonly<Record<string, string>> {
  const [, locks, install] = installers.find(([lock]) => has(lock)) ?? installers[2];
  const words = ["node", "--enable-source-maps", output, ...flags].map((word) => JSON.stringify(word));
  return {
    Dockerfile: `# syntax=docker/dockerfile:1
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json ${locks} ./
RUN ${install}
COPY . .
RUN npx tenon build --copy-external

# C libraries and certificates, no shell, no package manager. Node is the one that built it.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /usr/local/bin/node /usr/local/bin/node
WORKDIR /service
COPY --from=build /app/dist ./
# All that is ever written, so that the root can be read-only: results and artifacts that no platform has taken. And the
# names by which callers know the service, separated by commas: add public ones, and those of your cluster.
ENV NODE_ENV=production PLATFORM_SPOOL_DIR=/tmp/spool TENON_LOCAL_DIR=/tmp/local TENON_ALLOWED_HOSTS=${name}
# Blocks of 128 KiB and more go back to the system when they are freed: results of megabytes would fragment the memory.
ENV MALLOC_MMAP_THRESHOLD_=131072
USER 65532:65532
EXPOSE 8090
ENTRYPOINT [${words.join(", ")}]
`,
    ".dockerignore": "node_modules/\ndist/\n.tenon/\n.git/\n.env*\n",
  };
}
