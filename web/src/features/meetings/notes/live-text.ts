import { mergeParagraphs, type ParagraphConflict } from '@atrium/proto-events/merge-paragraphs';
import { createListeners } from '#lib/listeners.ts';

/** Retry delay in milliseconds. */
const RETRY_DELAY_MS = 5_000;
/** While the editor is closed, each delay is twice the previous one, up to this. */
const MAX_RETRY_DELAY_MS = 60_000;

/** Schedules retries, one at a time. */
function createRetries(attempt: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  let isStopped = false;
  let delayMs = RETRY_DELAY_MS;
  const after = (ms: number) => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(attempt, ms);
  };
  return {
    isLeft: () => isClosed,
    isStopped: () => isStopped,
    after,
    /** Schedules another attempt after a failure. */
    retry() {
      after(delayMs);
      if (isClosed) delayMs = Math.min(delayMs * 2, MAX_RETRY_DELAY_MS);
    },
    cancel: () => clearTimeout(timer),
    close() {
      isClosed = true;
    },
    reopen() {
      isClosed = false;
      delayMs = RETRY_DELAY_MS;
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** One user's state of a shared text; `base` is the last text known to be on the server. */
export type Written = { base: string; text: string; version: number };

export type LiveState = Written & {
  /** `waiting`: stored on the device and will be sent; `refused`: not sent until it is changed. */
  status: 'saved' | 'saving' | 'waiting' | 'refused';
  /** Paragraphs edited by both sides, since the user last dismissed them. */
  both: readonly ParagraphConflict[];
  failure: unknown;
};

type Answer = { notes: string; both: readonly ParagraphConflict[]; version: number };
type Attempt = { base: string; text: string; key: string };

type Parts = {
  /** Sends an edit of `base`; idempotent by its key. */
  send: (attempt: Attempt) => Promise<Answer>;
  /** Whether a failure is transient, so that the same request is retried. */
  isPassing: (failure: unknown) => boolean;
  /** Stores unsent text on the device; `undefined` removes it. */
  keep: (unsent: Written | undefined) => void;
  /** The editor is closed and the server rejected the text, which stays on the device. */
  onStored: () => void;
  newKey: () => string;
};

export type LiveText = ReturnType<typeof createLiveText>;

/** Idle time before sending, in milliseconds. */
const IDLE_MS = 1_200;

/**
 * A text that several users edit: remote changes are merged into it, and local ones are sent shortly after typing stops. Remote changes
 * wait for a request in flight, so that the user's own text is never treated as remote.
 */
export function createLiveText(begin: Written, { send, isPassing, keep, onStored, newKey }: Parts) {
  const { subscribe, notify } = createListeners();
  let state: LiveState = {
    ...begin,
    status: begin.text === begin.base ? 'saved' : 'waiting',
    both: [],
    failure: undefined,
  };
  let attempt: Attempt | undefined;
  let inFlight: Promise<void> | undefined;
  let pendingUpdate: { text: string; version: number } | undefined;
  const retries = createRetries(() => void flush().catch(() => undefined));
  const change = (part: Partial<LiveState>) => {
    state = { ...state, ...part };
    const { base, text, version } = state;
    keep(text === base ? undefined : { base, text, version });
    notify();
  };
  /** Merges the server's text; `from` is the base of the local text. */
  const merge = (theirs: { text: string; version: number }, from: string) => {
    const merged = mergeParagraphs({ base: from, theirs: theirs.text, yours: state.text });
    const isSaved = merged.text === theirs.text;
    const status = isSaved ? 'saved' : state.status === 'refused' ? 'refused' : 'waiting';
    change({
      base: theirs.text,
      text: merged.text,
      version: theirs.version,
      status,
      both: [...state.both, ...merged.both],
    });
  };
  const mergePending = () => {
    const update = pendingUpdate;
    pendingUpdate = undefined;
    if (update && update.version > state.version) merge(update, state.base);
  };
  const sendOnce = async () => {
    attempt ??= { base: state.base, text: state.text, key: newKey() };
    const sent = attempt;
    change({ status: 'saving', failure: undefined });
    try {
      const answer = await send(sent);
      attempt = undefined;
      state = { ...state, both: [...state.both, ...answer.both] };
      merge({ text: answer.notes, version: answer.version }, sent.text);
    } catch (failure) {
      const isAgain = isPassing(failure);
      if (!isAgain) attempt = undefined;
      change({ status: isAgain ? 'waiting' : 'refused', failure });
      if (!isAgain && retries.isLeft() && !retries.isStopped()) onStored();
      throw failure;
    }
  };
  /** Repeats until the server has everything. */
  const run = async () => {
    mergePending();
    while (!retries.isStopped() && (attempt || state.text !== state.base)) {
      await sendOnce();
      mergePending();
    }
  };
  /** Sends all unsent text; rejects on failure, and retries transient ones automatically. */
  function flush(): Promise<void> {
    retries.cancel();
    inFlight ??= run().finally(() => {
      inFlight = undefined;
      if (!attempt) mergePending();
      else if (state.status === 'waiting') retries.retry();
    });
    return inFlight;
  }
  if (state.status === 'waiting') retries.after(0);
  return {
    get: () => state,
    subscribe,
    type(text: string) {
      change({ text, status: 'waiting', failure: undefined });
      retries.after(IDLE_MS);
    },
    receive(text: string, version: number) {
      pendingUpdate = { text, version };
      if (!inFlight && !attempt) mergePending();
    },
    /** Dismisses the conflicting paragraphs. */
    dismissConflicts: () => change({ both: [] }),
    flush,
    /** The editor was closed: unsent text is sent immediately, or as soon as possible. */
    close() {
      retries.close();
      void flush().catch(() => undefined);
    },
    /** The editor was opened again. */
    reopen() {
      if (retries.isLeft() && state.status === 'waiting') retries.after(0);
      retries.reopen();
    },
    /** The user signed out: nothing is sent anymore. */
    stop: retries.stop,
  };
}

/** Maps a caret position to a text that others edited around it. */
export function caretAfter(before: string, after: string, caret: number): number {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  if (caret <= start) return caret;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const fromEnd = before.length - caret;
  return fromEnd <= end ? after.length - fromEnd : Math.min(caret, after.length);
}
