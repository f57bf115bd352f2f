/** True for an error of a system call. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error;
}

/** Returns the system's reason for refusing a file or a folder. */
export function systemReason(error: unknown): string {
  if (!isSystemError(error)) return String(error);
  switch (error.code) {
    case "EACCES":
    case "EPERM":
      return "this process may not write there";
    case "ENOENT":
      return "a folder of its path cannot be made";
    case "EROFS":
      return "the file system is read-only";
    case "ENOTDIR":
    case "EEXIST":
      return "a part of its path is not a directory";
    case "ENOSPC":
    case "EDQUOT":
      return "the disk is full";
    case "ENAMETOOLONG":
      return "the name is too long";
    default:
      return error.message;
  }
}
