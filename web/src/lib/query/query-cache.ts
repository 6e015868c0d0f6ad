import type { State } from 'swr';
import { isFinal } from '../api/api-error.ts';
import { preloadedAt } from '../api/preloaded-responses.ts';
import { elapsedMs } from '../delays.ts';
import { createListeners } from '../listeners.ts';

export const RETENTION_MS = 10 * 60_000;
export const FRESH_MS = 5 * 60_000;

export type Edited = {
  data: unknown;
  /** The data do not include the change, so the response must be requested again. */
  isStale: boolean;
  /** Only the end of a long page is missing, which can be requested later. */
  isIncomplete?: boolean;
};

export const mergeEdited = (earlier: Edited, later: Edited): Edited => ({
  data: later.data,
  isStale: earlier.isStale || later.isStale,
  ...((earlier.isIncomplete || later.isIncomplete) && { isIncomplete: true }),
});

/**
 * Applies a change to the data of a key; returns the same data where nothing changes. Must be idempotent, because a
 * response in flight may or may not include the change. The data of a key that failed to load are undefined.
 */
export type Edit = (key: string, data: unknown) => Edited;

/** Combines the device clock, which can be set back, and `performance.now()`, which may stop during sleep. */
type Timestamp = { time: number; ticks: number };

const now = (): Timestamp => ({ time: Date.now(), ticks: performance.now() });

/** Returns the longer time of both clocks in milliseconds, or infinity if the device clock was set back. */
function msAgo({ time, ticks }: Timestamp): number {
  return Math.max(elapsedMs(time), performance.now() - ticks);
}

const responses = new WeakSet<object>();

/** Whether the data are a response as it arrived. */
export const isUnpatched = (data: object): boolean => responses.has(data);

type InFlightRequest = {
  requestedAt: Timestamp;
  done: Promise<void>;
  /** Changes since the request, which its response may predate. */
  edits: Edit[];
  /** Whether SWR discards the response, because data were shown or requested again since the request. */
  isDiscarded: boolean;
};

type TrackedRequest = {
  /** Ends the request, and returns the response with all changes since then. */
  succeed: (response: unknown) => unknown;
  /** Ends the request, and applies the changes since then to the data of an earlier response. */
  fail: (error: unknown) => void;
};

const applyEdits = (key: string, edits: readonly Edit[], data: unknown): Edited =>
  edits.reduce<Edited>((edited, edit) => mergeEdited(edited, edit(key, edited.data)), { data, isStale: false });

export class QueryCache extends Map<string, State<unknown>> {
  readonly #observers = new Map<string, number>();
  readonly #evictions = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #requestedAt = new Map<string, Timestamp>();

  /** Requests in flight, and the tick of the latest invalidation during them. */
  readonly #inFlight = new Map<string, Set<InFlightRequest>>();
  readonly #invalidatedAt = new Map<string, number>();
  /** Keys whose response has arrived, until SWR shows it. */
  readonly #unshown = new Set<string>();
  readonly #activeKeys = createListeners();
  readonly #failures = createListeners<[key: string, error: unknown]>();
  readonly #stale = createListeners<[key: string, isIncomplete: boolean]>();
  #show: (key: string, data: unknown) => void = () => undefined;

  /** `show` replaces the data of a key; set by the middleware of SWR. */
  set show(show: (key: string, data: unknown) => void) {
    this.#show = show;
  }

  override set(key: string, state: State<unknown>): this {
    this.#unshown.delete(key);
    return super.set(key, state);
  }

  startRequest(key: string): TrackedRequest {
    this.#discardPending(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    const requestedAt = preloadedAt(key) ?? now();
    const request: InFlightRequest = { requestedAt, done: promise, edits: [], isDiscarded: false };
    const requests = this.#inFlight.get(key) ?? new Set();
    this.#inFlight.set(key, requests.add(request));
    this.#activeKeys.notify();
    const finish = (hasData: boolean) => {
      if (hasData && !request.isDiscarded && this.#isCurrent(key, request)) this.#requestedAt.set(key, requestedAt);
      requests.delete(request);
      if (requests.size === 0) {
        this.#inFlight.delete(key);
        this.#invalidatedAt.delete(key);
      }
      // After the caller has received the response.
      setTimeout(() => {
        // SWR has discarded the response, such as after a `mutate` of a component that is no longer mounted.
        if (this.#unshown.delete(key) && this.#requestedAt.get(key) === requestedAt) this.#requestedAt.delete(key);
        resolve();
      });
    };
    return {
      succeed: (response) => {
        if (typeof response === 'object' && response !== null) responses.add(response);
        const edited = applyEdits(key, request.edits, response);
        this.#unshown.add(key);
        finish(!edited.isStale);
        this.#markEdited(key, edited);
        return edited.data;
      },
      fail: (error) => {
        finish(false);
        this.#failures.notify(key, error);
        this.#markEdited(key, this.#applyToShown(key, request.edits));
      },
    };
  }

  /** Shows the changes that wait for the response to a request, because SWR will discard it. */
  #discardPending(key: string): void {
    const request = this.#pendingRequest(key);
    if (!request) return;
    request.isDiscarded = true;
    this.#applyToShown(key, request.edits.splice(0));
  }

  /** The request in flight whose response will be shown. */
  #pendingRequest(key: string): InFlightRequest | undefined {
    return [...(this.#inFlight.get(key) ?? [])].find(({ isDiscarded }) => !isDiscarded);
  }

  #applyToShown(key: string, edits: readonly Edit[]): Edited {
    const current = this.#currentData(key);
    const edited = applyEdits(key, edits, current);
    if (edited.data !== current) this.#show(key, edited.data);
    return edited;
  }

  #markEdited(key: string, { isStale, isIncomplete = false }: Edited): void {
    if (isStale || isIncomplete) this.markStale(key, { isIncomplete: !isStale });
  }

  /** Data from before a final error are not current: showing them would replace the error. */
  #currentData(key: string): unknown {
    const { data, error } = this.get(key) ?? {};
    return isFinal(error) ? undefined : data;
  }

  #isCurrent(key: string, { requestedAt }: InFlightRequest): boolean {
    return requestedAt.ticks > (this.#invalidatedAt.get(key) ?? Number.NEGATIVE_INFINITY);
  }

  /**
   * Applies a change to all data. A response in flight is edited when it arrives; `isOptimistic` shows the change
   * earlier, at the cost of that response.
   */
  edit(edit: Edit, { isOptimistic = false } = {}): void {
    for (const key of new Set([...this.keys(), ...this.#inFlight.keys()])) {
      const request = this.#pendingRequest(key);
      request?.edits.push(edit);
      if (!request) {
        this.#markEdited(key, this.#applyToShown(key, [edit]));
      } else if (isOptimistic) {
        const current = this.#currentData(key);
        const edited = edit(key, current);
        if (edited.data !== current) this.#discardPending(key);
        this.#markEdited(key, { ...edited, isStale: edited.isStale || edited.data !== current });
      }
    }
  }

  markStale(key: string, { isIncomplete = false } = {}): void {
    this.invalidate(key);
    this.#stale.notify(key, isIncomplete);
  }

  /** Called for each key whose response must be requested again. */
  readonly onStale = this.#stale.subscribe;

  async settled(key: string): Promise<void> {
    await Promise.all([...(this.#inFlight.get(key) ?? [])].map(({ done }) => done));
  }

  isInFlight(key: string): boolean {
    return this.#inFlight.has(key);
  }

  readonly onFailed = this.#failures.subscribe;

  hasFailed(key: string): boolean {
    const error: unknown = this.get(key)?.error;
    return error !== undefined && !isFinal(error) && !this.#inFlight.has(key);
  }

  readonly onActiveKeysChange = this.#activeKeys.subscribe;

  /** Returns observed keys first, then those with a request in flight or fresh data. */
  activeKeys(): string[] {
    const freshKeys = [...this.#requestedAt.keys()].filter((key) => this.dataAge(key) < FRESH_MS);
    return [...new Set([...this.#observers.keys(), ...this.#inFlight.keys(), ...freshKeys])];
  }

  invalidate(key: string): void {
    this.#requestedAt.delete(key);
    if (this.#inFlight.has(key)) this.#invalidatedAt.set(key, performance.now());
  }

  isObserved(key: string): boolean {
    return this.#observers.has(key);
  }

  /** Returns the milliseconds since the data was requested, or infinity without data or after an invalidation. */
  dataAge(key: string): number {
    const requestedAt = this.#requestedAt.get(key);
    return requestedAt ? msAgo(requestedAt) : Number.POSITIVE_INFINITY;
  }

  /** Returns the milliseconds since the latest request, finished or in flight, or infinity after an invalidation. */
  requestAge(key: string): number {
    const inFlight = [...(this.#inFlight.get(key) ?? [])].filter((request) => this.#isCurrent(key, request));
    return Math.min(this.dataAge(key), ...inFlight.map(({ requestedAt }) => msAgo(requestedAt)));
  }

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
