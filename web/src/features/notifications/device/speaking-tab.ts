const SPEAKER = 'atrium:speaks-for-notifications';
const FOCUSED = 'atrium:focused';

/** Holds a lock until the signal aborts; waits for it while another tab holds it. */
async function holdLock(name: string, { mode, signal }: { mode: LockMode; signal: AbortSignal }, onHeld?: () => void) {
  const isAborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  await navigator.locks
    .request(name, { mode, signal }, () => {
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
  let isSpeaking = false;
  let blur = new AbortController();
  const onFocus = () => {
    blur.abort();
    blur = new AbortController();
    const signal = AbortSignal.any([leave.signal, blur.signal]);
    if (document.hasFocus()) void holdLock(FOCUSED, { mode: 'shared', signal });
  };
  void holdLock(SPEAKER, { mode: 'exclusive', signal: leave.signal }, () => {
    isSpeaking = true;
  });
  onFocus();
  for (const type of ['focus', 'blur']) window.addEventListener(type, onFocus, { signal: leave.signal });
  return {
    isSpeaking: () => isSpeaking,
    async isAnyFocused() {
      const { held = [] } = await navigator.locks.query();
      return held.some(({ name }) => name === FOCUSED);
    },
    stop: () => leave.abort(),
  };
}
