/** A line for each key: so many at once, so many waiting behind them. */
export type Turns = {
  /** Resolves when it is the caller's turn, with what ends it; undefined where the line is full. */
  take(key: string): Promise<(() => void) | undefined>;
};

type Line = { running: number; waiting: (() => void)[] };

export function createKeyedSemaphore({ atOnce, waiting }: { atOnce: number; waiting: number }): Turns {
  const lines = new Map<string, Line>();
  return {
    async take(key) {
      const line = lines.get(key) ?? { running: 0, waiting: [] };
      lines.set(key, line);
      if (line.running < atOnce) line.running += 1;
      else if (line.waiting.length >= waiting) return undefined;
      else await new Promise<void>((resolve) => line.waiting.push(resolve));
      return () => {
        const next = line.waiting.shift();
        if (next) return next();
        line.running -= 1;
        if (line.running === 0) lines.delete(key);
      };
    },
  };
}
