import type { CallResult } from './call.ts';

/** A time span in milliseconds of `performance.now()`. */
export type Span = { from: number; to: number };

/** An acknowledged write: the path to read it from, and the expected fields. */
export type AcknowledgedWrite = {
  kind: string;
  path: string;
  who: string;
  fields: Record<string, unknown>;
  /** When it was first requested, if known. */
  requestedAt?: number;
  at: number;
};

/** The id of a resource that is nested in another one's response. */
export const idOf = ({ path }: AcknowledgedWrite): string => path.slice(path.indexOf('#') + 1);

export type CallSample = {
  call: string;
  status: number;
  expected: number;
  ms: number;
  startedAt: number;
  at: number;
  body?: unknown;
};

/** Records acknowledged writes and the outcome of every call. Times are those of `performance.now()`. */
export type WriteTracker = {
  recordCall(call: string, result: CallResult, expected: number): void;
  /** A newer acknowledgment of a resource replaces the previous one. */
  acknowledge(thing: Omit<AcknowledgedWrite, 'at'>): void;
  /** Marks fields as unknown after a change without a response. */
  markUncertain(path: string, fields: readonly string[]): void;
  /** Writes acknowledged since a time; all by default. */
  acknowledged(since?: number): AcknowledgedWrite[];
  /** Calls that ended since a time. */
  callsSince(moment: number): CallSample[];
};

export function trackAcknowledgedWrites(): WriteTracker {
  const things = new Map<string, AcknowledgedWrite>();
  const samples: CallSample[] = [];
  return {
    recordCall(name, { status, ms, body }, expected) {
      const at = performance.now();
      const isOdd = status !== expected;
      samples.push({ call: name, status, expected, ms, startedAt: at - ms, at, ...(isOdd && { body }) });
    },
    acknowledge(thing) {
      const known = things.get(thing.path);
      things.set(thing.path, { ...thing, fields: { ...known?.fields, ...thing.fields }, at: performance.now() });
    },
    markUncertain(path, fields) {
      const known = things.get(path);
      if (!known) return;
      const sure = Object.entries(known.fields).filter(([name]) => !fields.includes(name));
      things.set(path, { ...known, fields: Object.fromEntries(sure) });
    },
    acknowledged: (since = 0) => [...things.values()].filter(({ at }) => at >= since),
    callsSince(moment) {
      const first = samples.findLastIndex(({ at }) => at < moment) + 1;
      return samples.slice(first);
    },
  };
}

/** Valid requests must never fail this way when a pod starts or stops. */
export const isServerError = (status: number): boolean => status === 0 || status >= 500;
