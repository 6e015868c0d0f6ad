import type { State } from 'swr';
import { isFinal } from '../api/api-error.ts';
import { preloadedAt } from '../api/preloaded-responses.ts';
import { elapsedMs } from '../elapsed-ms.ts';
import { createListeners } from '../listeners.ts';

/** How long an answer that nothing on the screen shows is kept (specification, section 9). */
export const RETENTION_MS = 10 * 60_000;
/** Reads count as fresh for five minutes unless something says that they changed (specification, section 9). */
export const FRESH_MS = 5 * 60_000;

/** What becomes of the answer under a key by something that was written; the same answer where nothing does. */
export type Edit = (key: string, answer: unknown) => unknown;

/** By the device's clock, which may be set back, and by `performance.now()`, which may stand still while the device sleeps. */
type Timestamp = { time: number; ticks: number };

const now = (): Timestamp => ({ time: Date.now(), ticks: performance.now() });

/** At least how long ago that was, in milliseconds; infinite where nobody knows, as the clock stood later then. */
function msAgo({ time, ticks }: Timestamp): number {
  return Math.max(elapsedMs(time), performance.now() - ticks);
}

/** `edits`: what was written since it was asked, which its answer may be of before. */
type InFlightRequest = { requestedAt: Timestamp; done: Promise<void>; edits: Edit[] };

type TrackedRequest = {
  /** The answer, with what was written since the question. */
  applyEdits: <Answer>(answer: Answer) => Answer;
  /** Tells its end, with whether an answer came. One of before a change is not fresh. */
  finish: (hasData: boolean) => void;
};

/** SWR's cache of one person. What something shows is held; what nothing has shown for ten minutes is let go. */
export class QueryCache extends Map<string, State<unknown>> {
  readonly #observers = new Map<string, number>();
  readonly #evictions = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #requestedAt = new Map<string, Timestamp>();

  /** Questions under way, and since which tick something says that the answer to those of before has changed. */
  readonly #inFlight = new Map<string, Set<InFlightRequest>>();
  readonly #invalidatedAt = new Map<string, number>();
  readonly #activeKeys = createListeners();
  readonly #failed = createListeners<[key: string, error: unknown]>();

  /** Notes a question. */
  startRequest(key: string): TrackedRequest {
    const { promise, resolve } = Promise.withResolvers<void>();
    const request: InFlightRequest = { requestedAt: preloadedAt(key) ?? now(), done: promise, edits: [] };
    const requests = this.#inFlight.get(key) ?? new Set();
    this.#inFlight.set(key, requests.add(request));
    this.#activeKeys.notify();
    const finish = (hasData: boolean) => {
      const { requestedAt } = request;
      if (hasData && this.#isCurrent(key, request) && requestedAt.ticks >= (this.#requestedAt.get(key)?.ticks ?? 0))
        this.#requestedAt.set(key, requestedAt);
      requests.delete(request);
      if (requests.size === 0) {
        this.#inFlight.delete(key);
        this.#invalidatedAt.delete(key);
      }
      // Whoever gave the answer has it first.
      setTimeout(resolve);
    };
    // An edit keeps the type of the answer.
    const applyEdits = <Answer>(answer: Answer) =>
      request.edits.reduce<unknown>((known, edit) => edit(key, known), answer) as Answer;
    return { applyEdits, finish };
  }

  #isCurrent(key: string, { requestedAt }: InFlightRequest): boolean {
    return requestedAt.ticks > (this.#invalidatedAt.get(key) ?? Number.NEGATIVE_INFINITY);
  }

  /** Has something that was written stand in the answers that are on their way. */
  edit(edit: Edit): void {
    for (const requests of this.#inFlight.values()) for (const { edits } of requests) edits.push(edit);
  }

  /** Resolves once the questions that are under way now are answered, or have failed. */
  async settled(key: string): Promise<void> {
    await Promise.all([...(this.#inFlight.get(key) ?? [])].map(({ done }) => done));
  }

  isInFlight(key: string): boolean {
    return this.#inFlight.has(key);
  }

  /** Tells that no answer came to a question. */
  reportFailure(key: string, error: unknown): void {
    this.#failed.notify(key, error);
  }

  /** Calls back with each question that failed, whoever asked it. */
  readonly onFailed = this.#failed.subscribe;

  /** Whether the latest answer could not be had, while another question may be answered and none is on its way. */
  hasFailed(key: string): boolean {
    const error: unknown = this.get(key)?.error;
    return error !== undefined && !isFinal(error) && !this.#inFlight.has(key);
  }

  /** Calls back whenever something is shown that was not, or is shown no longer. */
  readonly onActiveKeysChange = this.#activeKeys.subscribe;

  /** Under which keys something is shown, and then those whose answers are under way, or fresh enough to be shown as they are. */
  activeKeys(): string[] {
    const fresh = [...this.#requestedAt.keys()].filter((key) => this.dataAge(key) < FRESH_MS);
    return [...new Set([...this.#observers.keys(), ...this.#inFlight.keys(), ...fresh])];
  }

  /** What something says has changed is asked for by the next that shows it, however young it is. */
  invalidate(key: string): void {
    this.#requestedAt.delete(key);
    if (this.#inFlight.has(key)) this.#invalidatedAt.set(key, performance.now());
  }

  /** The answer that is there; undefined where there is none, or where another is on its way, of which nobody knows what is in it. */
  settledData(key: string): unknown {
    return this.#inFlight.has(key) ? undefined : this.get(key)?.data;
  }

  /** Whether something shows it. */
  isObserved(key: string): boolean {
    return this.#observers.has(key);
  }

  /** How long ago it was asked for what is there, in milliseconds; infinite where there is none. */
  dataAge(key: string): number {
    const requestedAt = this.#requestedAt.get(key);
    return requestedAt ? msAgo(requestedAt) : Number.POSITIVE_INFINITY;
  }

  /** How long ago the latest question for it was asked, answered or under way, in milliseconds; infinite where it has changed since. */
  requestAge(key: string): number {
    const inFlight = [...(this.#inFlight.get(key) ?? [])].filter((request) => this.#isCurrent(key, request));
    return Math.min(this.dataAge(key), ...inFlight.map(({ requestedAt }) => msAgo(requestedAt)));
  }

  /** Keeps an answer for as long as something shows it; the returned function ends that. */
  observe(key: string): () => void {
    clearTimeout(this.#evictions.get(key));
    this.#evictions.delete(key);
    const count = this.#observers.get(key) ?? 0;
    this.#observers.set(key, count + 1);
    if (count === 0) this.#activeKeys.notify();
    return () => this.#release(key);
  }

  #release(key: string): void {
    const remaining = (this.#observers.get(key) ?? 0) - 1;
    if (remaining > 0) {
      this.#observers.set(key, remaining);
      return;
    }
    this.#observers.delete(key);
    this.#activeKeys.notify();
    this.#evictions.set(
      key,
      setTimeout(() => {
        this.#evictions.delete(key);
        this.delete(key);
        this.#requestedAt.delete(key);
      }, RETENTION_MS),
    );
  }
}
