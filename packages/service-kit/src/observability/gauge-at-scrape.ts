import { setTimeout as delay } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';

/** Whoever asks for metrics gets the others also while one part does not answer. */
const PATIENCE_MS = 1_000;

export type GaugeSample = { value: number; labels?: Record<string, string> };

type Options = {
  name: string;
  help: string;
  labelNames?: readonly string[];
  /** What it is now. Where that cannot be said, or not within `patienceMs` (a second), there is no series. */
  read: () => readonly GaugeSample[] | Promise<readonly GaugeSample[]>;
  patienceMs?: number;
};

/** A gauge that is read when somebody looks, so that nothing is counted for nobody. */
export function gaugeAtScrape(
  registry: Registry,
  { name, help, labelNames = [], read, patienceMs = PATIENCE_MS }: Options,
): void {
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      const late = delay(patienceMs, [], { ref: false });
      const readings = await Promise.race([Promise.resolve().then(read), late]).catch(() => []);
      this.reset();
      // Without labels that leaves a series which says 0.
      if (labelNames.length === 0) this.remove();
      for (const { labels = {}, value } of readings) this.set(labels, value);
    },
  });
}

/** Lets all who ask while an answer is under way have that one. */
export function shareInFlight<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= ask().finally(() => {
      running = undefined;
    });
    return running;
  };
}
