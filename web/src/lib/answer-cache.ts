import type { State } from 'swr';

/** How long an answer that nothing on the screen shows is kept (specification, section 9). */
export const KEPT_MS = 10 * 60_000;

/** SWR's cache of one person. What something shows is held; what nothing has shown for ten minutes is let go. */
export class AnswerCache extends Map<string, State<unknown>> {
  readonly #holders = new Map<string, number>();
  readonly #leaving = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #cameAt = new Map<string, number>();

  /** Notes that an answer came now. */
  note(key: string): void {
    this.#cameAt.set(key, Date.now());
  }

  /** What something says has changed is asked for by the next that shows it, however young it is. */
  age(isMeant: (key: string) => boolean): void {
    for (const key of [...this.#cameAt.keys()]) if (isMeant(key)) this.#cameAt.delete(key);
  }

  /** How old an answer is, in milliseconds; infinite where there is none. */
  ageOf(key: string): number {
    return Date.now() - (this.#cameAt.get(key) ?? Number.NEGATIVE_INFINITY);
  }

  /** Keeps an answer for as long as something shows it; the returned function ends that. */
  hold(key: string): () => void {
    clearTimeout(this.#leaving.get(key));
    this.#leaving.delete(key);
    this.#holders.set(key, (this.#holders.get(key) ?? 0) + 1);
    return () => this.#release(key);
  }

  #release(key: string): void {
    const left = (this.#holders.get(key) ?? 0) - 1;
    if (left > 0) {
      this.#holders.set(key, left);
      return;
    }
    this.#holders.delete(key);
    this.#leaving.set(
      key,
      setTimeout(() => {
        this.#leaving.delete(key);
        this.delete(key);
        this.#cameAt.delete(key);
      }, KEPT_MS),
    );
  }
}
