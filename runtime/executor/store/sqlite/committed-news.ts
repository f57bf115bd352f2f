import type { JobUrn } from "../../../job/job.ts";
import type { JobChange, JobNews } from "../job-news.ts";

/** Notifications of a transaction, sent when it is committed. */
export class CommittedNews {
  readonly #news: JobNews;
  #changes: (readonly [JobUrn, JobChange])[] = [];
  #tools = new Set<string>();
  /** True when more jobs were changed than are listed. */
  #ofAny = false;

  constructor(news: JobNews) {
    this.#news = news;
  }

  changed(id: JobUrn, change: JobChange): void {
    if (this.#news.isWatched(id)) this.#changes.push([id, change]);
  }

  ready(tool: string): void {
    this.#tools.add(tool);
  }

  /** Reports that any job may have ended, or may be claimable again. */
  any(): void {
    this.#ofAny = true;
  }

  tell(): void {
    const [changes, tools, ofAny] = [this.#changes, this.#tools, this.#ofAny];
    if (changes.length === 0 && tools.size === 0 && !ofAny) return;
    this.drop();
    for (const [id, change] of changes) this.#news.tell(id, change);
    if (ofAny) this.#news.tellUnknown();
    if (ofAny || tools.size > 0) this.#news.tellReady(ofAny ? undefined : [...tools]);
  }

  /** Drops the notifications of a transaction that was rolled back. */
  drop(): void {
    this.#changes = [];
    this.#tools = new Set();
    this.#ofAny = false;
  }
}
