import type { State } from 'swr';
import { isFinal } from '../api/api-error.ts';
import { earlyMoment } from '../api/preloaded-responses.ts';
import { msSince } from '../elapsed-ms.ts';
import { createListeners } from '../listeners.ts';

/** How long an answer that nothing on the screen shows is kept (specification, section 9). */
export const KEPT_MS = 10 * 60_000;
/** Reads count as fresh for five minutes unless something says that they changed (specification, section 9). */
export const FRESH_MS = 5 * 60_000;

/** What becomes of the answer under a key by something that was written; the same answer where nothing does. */
export type Edit = (key: string, answer: unknown) => unknown;

/** By the device's clock, which may be set back, and by `performance.now()`, which may stand still while the device sleeps. */
type Moment = { time: number; ticks: number };

const now = (): Moment => ({ time: Date.now(), ticks: performance.now() });

/** At least how long ago that was, in milliseconds; infinite where nobody knows, as the clock stood later then. */
function ago({ time, ticks }: Moment): number {
  return Math.max(msSince(time), performance.now() - ticks);
}

/** `edits`: what was written since it was asked, which its answer may be of before. */
type Question = { askedAt: Moment; isOver: Promise<void>; edits: Edit[] };

type Asked = {
  /** The answer, with what was written since the question. */
  edited: <Answer>(answer: Answer) => Answer;
  /** Tells its end, with whether an answer came. One of before a change is not fresh. */
  end: (isAnswered: boolean) => void;
};

/** SWR's cache of one person. What something shows is held; what nothing has shown for ten minutes is let go. */
export class QueryCache extends Map<string, State<unknown>> {
  readonly #holders = new Map<string, number>();
  readonly #leaving = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #askedAt = new Map<string, Moment>();

  /** Questions under way, and since which tick something says that the answer to those of before has changed. */
  readonly #underWay = new Map<string, Set<Question>>();
  readonly #agedAt = new Map<string, number>();
  readonly #shown = createListeners();
  readonly #failed = createListeners<[key: string, error: unknown]>();

  /** Notes a question. */
  ask(key: string): Asked {
    const { promise, resolve } = Promise.withResolvers<void>();
    const question: Question = { askedAt: earlyMoment(key) ?? now(), isOver: promise, edits: [] };
    const questions = this.#underWay.get(key) ?? new Set();
    this.#underWay.set(key, questions.add(question));
    this.#shown.tell();
    const end = (isAnswered: boolean) => {
      const { askedAt } = question;
      if (isAnswered && this.#isOfNow(key, question) && askedAt.ticks >= (this.#askedAt.get(key)?.ticks ?? 0))
        this.#askedAt.set(key, askedAt);
      questions.delete(question);
      if (questions.size === 0) {
        this.#underWay.delete(key);
        this.#agedAt.delete(key);
      }
      // Whoever gave the answer has it first.
      setTimeout(resolve);
    };
    // An edit keeps the type of the answer.
    const edited = <Answer>(answer: Answer) =>
      question.edits.reduce<unknown>((known, edit) => edit(key, known), answer) as Answer;
    return { edited, end };
  }

  #isOfNow(key: string, { askedAt }: Question): boolean {
    return askedAt.ticks > (this.#agedAt.get(key) ?? Number.NEGATIVE_INFINITY);
  }

  /** Has something that was written stand in the answers that are on their way. */
  edit(edit: Edit): void {
    for (const questions of this.#underWay.values()) for (const { edits } of questions) edits.push(edit);
  }

  /** Resolves once the questions that are under way now are answered, or have failed. */
  async settled(key: string): Promise<void> {
    await Promise.all([...(this.#underWay.get(key) ?? [])].map(({ isOver }) => isOver));
  }

  isUnderWay(key: string): boolean {
    return this.#underWay.has(key);
  }

  /** Tells that no answer came to a question. */
  fail(key: string, error: unknown): void {
    this.#failed.tell(key, error);
  }

  /** Calls back with each question that failed, whoever asked it. */
  readonly onFailed = this.#failed.subscribe;

  /** Whether the latest answer could not be had, while another question may be answered and none is on its way. */
  hasFailed(key: string): boolean {
    const error: unknown = this.get(key)?.error;
    return error !== undefined && !isFinal(error) && !this.#underWay.has(key);
  }

  /** Calls back whenever something is shown that was not, or is shown no longer. */
  readonly onShown = this.#shown.subscribe;

  /** Under which keys something is shown, and then those whose answers are under way, or fresh enough to be shown as they are. */
  wanted(): string[] {
    const fresh = [...this.#askedAt.keys()].filter((key) => this.ageOf(key) < FRESH_MS);
    return [...new Set([...this.#holders.keys(), ...this.#underWay.keys(), ...fresh])];
  }

  /** What something says has changed is asked for by the next that shows it, however young it is. */
  invalidate(key: string): void {
    this.#askedAt.delete(key);
    if (this.#underWay.has(key)) this.#agedAt.set(key, performance.now());
  }

  /** The answer that is there; undefined where there is none, or where another is on its way, of which nobody knows what is in it. */
  settledData(key: string): unknown {
    return this.#underWay.has(key) ? undefined : this.get(key)?.data;
  }

  /** Whether something shows it. */
  isObserved(key: string): boolean {
    return this.#holders.has(key);
  }

  /** How long ago it was asked for what is there, in milliseconds; infinite where there is none. */
  ageOf(key: string): number {
    const askedAt = this.#askedAt.get(key);
    return askedAt ? ago(askedAt) : Number.POSITIVE_INFINITY;
  }

  /** How long ago the latest question for it was asked, answered or under way, in milliseconds; infinite where it has changed since. */
  requestAge(key: string): number {
    const underWay = [...(this.#underWay.get(key) ?? [])].filter((question) => this.#isOfNow(key, question));
    return Math.min(this.ageOf(key), ...underWay.map(({ askedAt }) => ago(askedAt)));
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
