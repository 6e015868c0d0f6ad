import type { State } from 'swr';
import { createListeners } from './listeners.ts';

/** How long an answer that nothing on the screen shows is kept (specification, section 9). */
export const KEPT_MS = 10 * 60_000;
/** Reads count as fresh for five minutes unless something says that they changed (specification, section 9). */
export const FRESH_MS = 5 * 60_000;

/** SWR's cache of one person. What something shows is held; what nothing has shown for ten minutes is let go. */
export class AnswerCache extends Map<string, State<unknown>> {
  readonly #holders = new Map<string, number>();
  readonly #leaving = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #askedAt = new Map<string, number>();

  /** Questions under way, and those of them since which something said that the answer has changed. */
  readonly #underWay = new Map<string, number>();
  readonly #agedAt = new Map<string, number>();
  readonly #shown = createListeners();

  /** Notes a question; its end is told by the returned function, with whether an answer came. One of before a change is not fresh. */
  ask(key: string): (isAnswered: boolean) => void {
    const askedAt = Date.now();
    this.#underWay.set(key, (this.#underWay.get(key) ?? 0) + 1);
    this.#shown.tell();
    return (isAnswered) => {
      const left = (this.#underWay.get(key) ?? 1) - 1;
      const agedAt = this.#agedAt.get(key) ?? Number.NEGATIVE_INFINITY;
      if (left > 0) this.#underWay.set(key, left);
      else {
        this.#underWay.delete(key);
        this.#agedAt.delete(key);
      }
      if (isAnswered && agedAt < askedAt) this.#askedAt.set(key, askedAt);
    };
  }

  /** Calls back whenever something is shown that was not, or is shown no longer. */
  readonly onShown = this.#shown.subscribe;

  /** Under which keys something is shown, and then those whose answers are under way, or fresh enough to be shown as they are. */
  wanted(): string[] {
    const fresh = [...this.#askedAt.keys()].filter((key) => this.ageOf(key) < FRESH_MS);
    return [...new Set([...this.#holders.keys(), ...this.#underWay.keys(), ...fresh])];
  }

  /** What something says has changed is asked for by the next that shows it, however young it is. */
  age(key: string): void {
    this.#askedAt.delete(key);
    if (this.#underWay.has(key)) this.#agedAt.set(key, Date.now());
  }

  /** Whether something shows it. */
  isHeld(key: string): boolean {
    return this.#holders.has(key);
  }

  /** How long ago it was asked for what is there, in milliseconds; infinite where there is none. */
  ageOf(key: string): number {
    return Date.now() - (this.#askedAt.get(key) ?? Number.NEGATIVE_INFINITY);
  }

  /** Keeps an answer for as long as something shows it; the returned function ends that. */
  hold(key: string): () => void {
    clearTimeout(this.#leaving.get(key));
    this.#leaving.delete(key);
    const held = this.#holders.get(key) ?? 0;
    this.#holders.set(key, held + 1);
    if (held === 0) this.#shown.tell();
    return () => this.#release(key);
  }

  #release(key: string): void {
    const left = (this.#holders.get(key) ?? 0) - 1;
    if (left > 0) {
      this.#holders.set(key, left);
      return;
    }
    this.#holders.delete(key);
    this.#shown.tell();
    this.#leaving.set(
      key,
      setTimeout(() => {
        this.#leaving.delete(key);
        this.delete(key);
        this.#askedAt.delete(key);
      }, KEPT_MS),
    );
  }
}
