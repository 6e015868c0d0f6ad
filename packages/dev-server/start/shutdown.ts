// npm and the terminal both forward Ctrl-C, so one press can arrive as several signals.
const SAME_PRESS_MS = 700;

interface Shutdown {
  gently: (reason: string) => Promise<void>;
  hurry: () => void;
}

/** On Ctrl-C, on a signal, or when the parent process ends; a second Ctrl-C kills everything. */
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
  // A parent may end after forwarding a signal, which does not count as a second one.
  const orphaned = (): void => {
    if (firstAt === undefined) begin('its parent ended');
  };
  // The parent may have ended before this process listened.
  if (process.connected === false) orphaned();
  else process.once('disconnect', orphaned);
};
