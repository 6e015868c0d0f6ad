import { setTimeout as delay } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';

/** Other metrics remain available while one source does not respond. */
const READ_TIMEOUT_MS = 1_000;

export type GaugeSample = { value: number; labels?: Record<string, string> };

type Options = {
  name: string;
  help: string;
  labelNames?: readonly string[];
  /** The current samples. If unavailable, or not within `timeoutMs` (a second), there is no series. */
  read: () => readonly GaugeSample[] | Promise<readonly GaugeSample[]>;
  timeoutMs?: number;
};

/** A gauge that is read at scrape time. */
export function gaugeAtScrape(
  registry: Registry,
  { name, help, labelNames = [], read, timeoutMs = READ_TIMEOUT_MS }: Options,
): void {
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      const timeout = delay(timeoutMs, [], { ref: false });
      const samples = await Promise.race([Promise.resolve().then(read), timeout]).catch(() => []);
      this.reset();
      // Without labels, a series with the value 0 would remain.
      if (labelNames.length === 0) this.remove();
      for (const { labels = {}, value } of samples) this.set(labels, value);
    },
  });
}

/** Concurrent callers share one call in flight. */
export function shareInFlight<T>(call: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= call().finally(() => {
      running = undefined;
    });
    return running;
  };
}
