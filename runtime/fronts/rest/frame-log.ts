const smallestPage = 4096;
const largestPage = 64 * 1024;

/** A piece of memory that fills up. Bytes that are in it never change. */
export interface Page {
  readonly bytes: Buffer;
  /** Position of the page's first byte among all bytes of the log. */
  readonly start: number;
  filled: number;
}

/** Log of frames, each written once: readers get slices of its pages, without copies. */
export class FrameLog {
  /** Pages that contain the latest frames, the oldest first. */
  readonly pages: Page[] = [];
  /** Number and position of each frame in the pages. */
  #marks: { readonly number: number; readonly start: number }[] = [];
  /** Bytes that were written, including those of dropped pages. */
  length = 0;
  /** Number of the last frame; 0 if there is none. */
  last = 0;

  /** Number of the oldest available frame; undefined if there is none. */
  get first(): number | undefined {
    return this.#marks[0]?.number;
  }

  /** Adds a frame; its number is above all earlier ones. Returns the new page, if one was begun for it. */
  add(number: number, text: string): Page | undefined {
    const size = Buffer.byteLength(text);
    let page = this.pages.at(-1);
    let begun: Page | undefined;
    if (page === undefined || page.filled + size > page.bytes.length) {
      // The size of pages grows with the log, so that a job with a few short events does not cost a large page.
      const usual = Math.min(largestPage, Math.max(smallestPage, this.length));
      page = begun = { bytes: Buffer.allocUnsafeSlow(Math.max(usual, size)), start: this.length, filled: 0 };
      this.pages.push(page);
    }
    this.#marks.push({ number, start: this.length });
    page.bytes.write(text, page.filled);
    page.filled += size;
    this.length += size;
    this.last = number;
    return begun;
  }

  /** Returns the position of the first frame after a number; the end of the log if there is none. */
  placeAfter(number: number): number {
    let [low, high] = [0, this.#marks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#marks[middle]?.number ?? 0) > number) high = middle;
      else low = middle + 1;
    }
    return this.#marks[low]?.start ?? this.length;
  }

  /** Drops the oldest pages until at most `bytes` or one page remain. */
  trim(bytes: number): void {
    const { pages } = this;
    let [next] = pages;
    while (pages.length > 1 && next !== undefined && this.length - next.start > bytes) {
      pages.shift();
      [next] = pages;
    }
    const start = next?.start ?? 0;
    const kept = this.#marks.findIndex((mark) => mark.start >= start);
    if (kept > 0) this.#marks = this.#marks.slice(kept);
  }
}
