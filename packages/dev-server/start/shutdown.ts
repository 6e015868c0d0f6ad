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
    firstAt = Date.now();
    void gently(reason);
  };
  const press = (signal: string): void => {
    if (firstAt === undefined) begin(signal);
    else if (Date.now() - firstAt > SAME_PRESS_MS) hurry();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => press(signal));
  // A parent may end after it has passed a signal on; that is no second wish.
  const orphaned = (): void => {
    if (firstAt === undefined) begin('its parent ended');
  };
  // It may have ended before anybody listened here.
  if (process.connected === false) orphaned();
  else process.once('disconnect', orphaned);
};
