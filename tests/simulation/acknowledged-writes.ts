import type { CallResult } from './call.ts';

/** A time span in milliseconds of `performance.now()`. */
export type Span = { from: number; to: number };

/** An acknowledged write: the path to read it from, and the fields to expect there. */
export type AcknowledgedWrite = {
  kind: string;
  path: string;
  who: string;
  fields: Record<string, unknown>;
  /** When the write was first requested, if known. */
  requestedAt?: number;
  at: number;
};

/** Returns the id of a resource that is read as part of another one: the path ends with `#<id>`. */
export const idOf = ({ path }: AcknowledgedWrite): string => path.slice(path.indexOf('#') + 1);

/** The outcome of a call, with its body if the status is not the expected one. */
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
  acknowledge(write: Omit<AcknowledgedWrite, 'at'>): void;
  /** Marks fields as unknown after a change without a response. */
  markUncertain(path: string, fields: readonly string[]): void;
  /** Lists the writes acknowledged since a time, by default all. */
  acknowledged(since?: number): AcknowledgedWrite[];
  /** Lists the calls that ended since a time. */
  callsSince(time: number): CallSample[];
};

export function trackAcknowledgedWrites(): WriteTracker {
  const writes = new Map<string, AcknowledgedWrite>();
  const samples: CallSample[] = [];
  return {
    recordCall(name, { status, ms, body }, expected) {
      const at = performance.now();
      const isUnexpected = status !== expected;
      samples.push({ call: name, status, expected, ms, startedAt: at - ms, at, ...(isUnexpected && { body }) });
    },
    acknowledge(write) {
      const previous = writes.get(write.path);
      writes.set(write.path, { ...write, fields: { ...previous?.fields, ...write.fields }, at: performance.now() });
    },
    markUncertain(path, fields) {
      const write = writes.get(path);
      if (!write) return;
      const certainFields = Object.entries(write.fields).filter(([name]) => !fields.includes(name));
      writes.set(path, { ...write, fields: Object.fromEntries(certainFields) });
    },
    acknowledged: (since = 0) => [...writes.values()].filter(({ at }) => at >= since),
    callsSince(time) {
      const first = samples.findLastIndex(({ at }) => at < time) + 1;
      return samples.slice(first);
    },
  };
}

/** Whether a call got no response or a server error, which valid requests must never get when a pod starts or stops. */
export const isServerError = (status: number): boolean => status === 0 || status >= 500;
