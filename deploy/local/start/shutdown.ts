// npm and the terminal both pass a Ctrl-C on, so one press can arrive as several signals at once.
const SAME_PRESS_MS = 700;

interface Shutdown {
  /** In order and in peace. */
  gently: (reason: string) => Promise<void>;
  /** At once. */
  hurry: () => void;
}

/** Ends the launcher on Ctrl-C, on a signal, or when whoever started it is gone; a second Ctrl-C hurries. */
export const onShutdown = ({ gently, hurry }: Shutdown): void => {
  let firstAt: number | undefined;
  const begin = (reason: string): void => {
    if (firstAt !== undefined) {
      if (Date.now() - firstAt > SAME_PRESS_MS) hurry();
      return;
    }
    firstAt = Date.now();
    void gently(reason);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => begin(signal));
  process.once('disconnect', () => begin('its parent ended'));
};
