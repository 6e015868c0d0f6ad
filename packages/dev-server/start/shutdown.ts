// npm and the terminal both forward Ctrl-C, so pressing it once can cause several signals.
const DUPLICATE_SIGNAL_MS = 700;

interface ShutdownHandlers {
  stopGracefully: (reason: string) => Promise<void>;
  killAll: () => void;
}

/** Stops gracefully on Ctrl-C, on a signal, or when the parent process ends. A second Ctrl-C kills everything. */
export const onShutdown = ({ stopGracefully, killAll }: ShutdownHandlers): void => {
  let firstAt: number | undefined;
  const startShutdown = (reason: string): void => {
    firstAt = Date.now();
    void stopGracefully(reason);
  };
  const handleSignal = (signal: string): void => {
    if (firstAt === undefined) startShutdown(signal);
    else if (Date.now() - firstAt > DUPLICATE_SIGNAL_MS) killAll();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => handleSignal(signal));
  // A parent can end after it forwarded a signal, which does not count as a second one.
  const handleDisconnect = (): void => {
    if (firstAt === undefined) startShutdown('its parent ended');
  };
  // The parent may have ended before this process could listen for it.
  if (process.connected === false) handleDisconnect();
  else process.once('disconnect', handleDisconnect);
};
