import { newUuid } from '#lib/new-uuid.ts';

const SPEAKER = 'atrium:speaks-for-notifications';
const FOCUSED = 'atrium:focused:';
/** Browsers may take the focus of a window without an event. */
const CHECK_INTERVAL_MS = 5_000;

/** Holds a lock until the signal aborts; waits for it while another tab holds it. */
async function holdLock(name: string, signal: AbortSignal, onHeld?: () => void) {
  const isAborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  await navigator.locks
    .request(name, { signal }, () => {
      onHeld?.();
      return isAborted;
    })
    // Aborted while it was waiting.
    .catch(() => undefined);
}

export type SpeakingTab = {
  /** Whether this tab shows notifications for all tabs of the browser. */
  isSpeaking(): boolean;
  /** Whether the user is looking at any tab of Atrium. */
  isAnyFocused(): Promise<boolean>;
  stop(): void;
};

/** The oldest open tab speaks for all; when it is closed, the next one does. */
export function joinTabs(): SpeakingTab {
  const leave = new AbortController();
  /** Held while this tab has focus, so that others know. */
  const ownLock = FOCUSED + newUuid();
  let isSpeaking = false;
  let blur = new AbortController();
  const onFocus = () => {
    blur.abort();
    blur = new AbortController();
    if (document.hasFocus()) void holdLock(ownLock, AbortSignal.any([leave.signal, blur.signal]));
  };
  void holdLock(SPEAKER, leave.signal, () => {
    isSpeaking = true;
  });
  onFocus();
  for (const type of ['focus', 'blur']) window.addEventListener(type, onFocus, { signal: leave.signal });
  const timer = setInterval(() => {
    if (!document.hasFocus()) blur.abort();
  }, CHECK_INTERVAL_MS);
  return {
    isSpeaking: () => isSpeaking,
    async isAnyFocused() {
      if (document.hasFocus()) return true;
      const { held = [] } = await navigator.locks.query();
      // The own lock may not have been released yet.
      return held.some(({ name }) => name !== ownLock && name?.startsWith(FOCUSED));
    },
    stop() {
      clearInterval(timer);
      leave.abort();
    },
  };
}
