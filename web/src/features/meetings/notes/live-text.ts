import { mergeParagraphs, type ParagraphConflict } from '@atrium/proto-events/merge-paragraphs';
import { createListeners } from '#lib/listeners.ts';

const RETRY_DELAY_MS = 5_000;
/** Limits the delay, which doubles with each retry while the editor is closed. */
const MAX_RETRY_DELAY_MS = 60_000;

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
    isClosed: () => isClosed,
    isStopped: () => isStopped,
    after,
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
export type NotesDraft = { base: string; text: string; version: number };

export type LiveState = NotesDraft & {
  /** Waiting text is stored on the device and will be sent; rejected text is not sent until it is changed. */
  status: 'saved' | 'saving' | 'waiting' | 'rejected';
  /** Paragraphs that both sides have edited since the user last dismissed the notice. */
  conflicts: readonly ParagraphConflict[];
  failure: unknown;
};

type NotesResponse = { notes: string; both: readonly ParagraphConflict[]; version: number };
type Attempt = { base: string; text: string; key: string };

type LiveTextParams = {
  /** Sends an attempt; idempotent by its key. */
  send: (attempt: Attempt) => Promise<NotesResponse>;
  /** Whether a failure is transient, so that the same request is retried. */
  isTransient: (failure: unknown) => boolean;
  /** Saves unsent text on the device; `undefined` deletes it. */
  setDraft: (unsent: NotesDraft | undefined) => void;
  /** Called if the server rejects the text after the editor was closed; the text is kept on the device. */
  onKeptLocally: () => void;
  newKey: () => string;
};

export type LiveText = ReturnType<typeof createLiveText>;

const IDLE_MS = 1_200;

/**
 * Creates a text that several users edit. Remote changes wait for a request in flight, so that the user's own text is
 * never treated as remote.
 */
export function createLiveText(
  initial: NotesDraft,
  { send, isTransient, setDraft, onKeptLocally, newKey }: LiveTextParams,
) {
  const { subscribe, notify } = createListeners();
  let state: LiveState = {
    ...initial,
    status: initial.text === initial.base ? 'saved' : 'waiting',
    conflicts: [],
    failure: undefined,
  };
  let attempt: Attempt | undefined;
  let inFlight: Promise<void> | undefined;
  let pendingUpdate: { text: string; version: number } | undefined;
  const retries = createRetries(() => void flush().catch(() => undefined));
  const change = (part: Partial<LiveState>) => {
    state = { ...state, ...part };
    const { base, text, version } = state;
    setDraft(text === base ? undefined : { base, text, version });
    notify();
  };
  /** Merges the server's text with the local one. */
  const merge = (theirs: { text: string; version: number }, localBase: string) => {
    const mergeResult = mergeParagraphs({ base: localBase, theirs: theirs.text, yours: state.text });
    const isSaved = mergeResult.text === theirs.text;
    const status = isSaved ? 'saved' : state.status === 'rejected' ? 'rejected' : 'waiting';
    change({
      base: theirs.text,
      text: mergeResult.text,
      version: theirs.version,
      status,
      conflicts: [...state.conflicts, ...mergeResult.conflicts],
    });
  };
  const mergePending = () => {
    const update = pendingUpdate;
    pendingUpdate = undefined;
    if (update && update.version > state.version) merge(update, state.base);
  };
  const sendOnce = async () => {
    attempt ??= { base: state.base, text: state.text, key: newKey() };
    const currentAttempt = attempt;
    change({ status: 'saving', failure: undefined });
    try {
      const response = await send(currentAttempt);
      attempt = undefined;
      state = { ...state, conflicts: [...state.conflicts, ...response.both] };
      merge({ text: response.notes, version: response.version }, currentAttempt.text);
    } catch (failure) {
      const isRetried = isTransient(failure);
      if (!isRetried) attempt = undefined;
      change({ status: isRetried ? 'waiting' : 'rejected', failure });
      if (!isRetried && retries.isClosed() && !retries.isStopped()) onKeptLocally();
      throw failure;
    }
  };
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
    dismissConflicts: () => change({ conflicts: [] }),
    flush,
    close() {
      retries.close();
      void flush().catch(() => undefined);
    },
    reopen() {
      if (retries.isClosed() && state.status === 'waiting') retries.after(0);
      retries.reopen();
    },
    stop: retries.stop,
  };
}

export function caretAfter(before: string, after: string, caret: number): number {
  const length = Math.min(before.length, after.length);
  let start = 0;
  while (start < length && before[start] === after[start]) start += 1;
  if (caret <= start) return caret;
  let end = 0;
  while (end < length - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const fromEnd = before.length - caret;
  return fromEnd <= end ? after.length - fromEnd : Math.min(caret, after.length);
}
