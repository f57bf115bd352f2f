/** Exit code of a process that a closed pipe ends, as shells report it: 128, and the number of SIGPIPE. */
const ended = 141;

/** Ends this process without a word once the program that reads a stream of it has ended, such as `head`. */
export function endWithReader(stream: NodeJS.WritableStream): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(ended);
  });
}
