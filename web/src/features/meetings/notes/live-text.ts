import { mergeParagraphs, type ParagraphConflict } from '@atrium/proto-events/merge-paragraphs';
import { createListeners } from '../../../lib/listeners.ts';
import { createTries } from './retry-attempts.ts';

/** What is written at a place by several, as one person has it: `base` is what of it the server is known to have. */
export type Written = { base: string; text: string; version: number };

export type LiveState = Written & {
  /** `waiting`: it is kept here and will be sent; `refused`: not before it is changed. */
  status: 'saved' | 'saving' | 'waiting' | 'refused';
  /** Paragraphs of which both are kept, since this person looked last. */
  both: readonly ParagraphConflict[];
  failure: unknown;
};

type Answer = { notes: string; both: readonly ParagraphConflict[]; version: number };
type Attempt = { base: string; text: string; key: string };

type Parts = {
  /** Sends what was made of `base`; the same key again gives the first answer. */
  send: (attempt: Attempt) => Promise<Answer>;
  /** Whether a failure is one of the way there, after which the same is sent again. */
  isPassing: (failure: unknown) => boolean;
  /** Keeps on the device what the server has not, until it has: then `undefined`. */
  keep: (unsent: Written | undefined) => void;
  /** Nobody looks any more, and the server refuses what is left: it stays on the device. */
  tellKept: () => void;
  newKey: () => string;
};

export type LiveText = ReturnType<typeof createLiveText>;

/** How long nobody must have typed, in milliseconds. */
const QUIET_MS = 1_200;

/**
 * A text that several write: what others wrote is merged into it, and what this person wrote is sent a moment after they stopped typing. What is under
 * way is answered before anything else is taken in, so that nobody's own words come back as another's.
 */
export function createLiveText(begin: Written, { send, isPassing, keep, tellKept, newKey }: Parts) {
  const { subscribe, notify } = createListeners();
  let state: LiveState = {
    ...begin,
    status: begin.text === begin.base ? 'saved' : 'waiting',
    both: [],
    failure: undefined,
  };
  let attempt: Attempt | undefined;
  let underWay: Promise<void> | undefined;
  let heard: { text: string; version: number } | undefined;
  const tries = createTries(() => void flush().catch(() => undefined));
  const change = (part: Partial<LiveState>) => {
    state = { ...state, ...part };
    const { base, text, version } = state;
    keep(text === base ? undefined : { base, text, version });
    notify();
  };
  /** Takes in what the server has now; `from` is what this person's text was made of. */
  const takeIn = (theirs: { text: string; version: number }, from: string) => {
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
  const takeHeard = () => {
    const news = heard;
    heard = undefined;
    if (news && news.version > state.version) takeIn(news, state.base);
  };
  const sendOnce = async () => {
    attempt ??= { base: state.base, text: state.text, key: newKey() };
    const sent = attempt;
    change({ status: 'saving', failure: undefined });
    try {
      const answer = await send(sent);
      attempt = undefined;
      state = { ...state, both: [...state.both, ...answer.both] };
      takeIn({ text: answer.notes, version: answer.version }, sent.text);
    } catch (failure) {
      const isAgain = isPassing(failure);
      if (!isAgain) attempt = undefined;
      change({ status: isAgain ? 'waiting' : 'refused', failure });
      if (!isAgain && tries.isLeft() && !tries.isStopped()) tellKept();
      throw failure;
    }
  };
  /** Until the server has all there is. */
  const run = async () => {
    takeHeard();
    while (!tries.isStopped() && (attempt || state.text !== state.base)) {
      await sendOnce();
      takeHeard();
    }
  };
  /** Sends all there is; rejects where that fails, and goes on by itself where it may. */
  function flush(): Promise<void> {
    tries.cancel();
    underWay ??= run().finally(() => {
      underWay = undefined;
      if (!attempt) takeHeard();
      else if (state.status === 'waiting') tries.again();
    });
    return underWay;
  }
  if (state.status === 'waiting') tries.after(0);
  return {
    get: () => state,
    subscribe,
    type(text: string) {
      change({ text, status: 'waiting', failure: undefined });
      tries.after(QUIET_MS);
    },
    hear(text: string, version: number) {
      heard = { text, version };
      if (!underWay && !attempt) takeHeard();
    },
    /** Both of what two people changed have been seen. */
    look: () => change({ both: [] }),
    flush,
    /** Nobody looks any more: what is left goes at once, or as soon as it can. */
    leave() {
      tries.leave();
      void flush().catch(() => undefined);
    },
    /** Somebody looks again. */
    comeBack() {
      if (tries.isLeft() && state.status === 'waiting') tries.after(0);
      tries.comeBack();
    },
    /** Whose it is has gone: nothing is sent any more. */
    stop: tries.stop,
  };
}
