/** News of a key whose answer is on its way: nobody knows yet whether that has them. */
export type Doubt<News> = { news: News; at: number };

type Ports = {
  isUnderWay: (key: string) => boolean;
  /** Resolves once the questions that are under way now are answered, or have failed. */
  settled: (key: string) => Promise<unknown>;
  /** Whether all of it was asked for after that moment, by `Date.now()`: what was told before is in that answer. */
  isAskedSince: (key: string, at: number) => boolean;
};

/** Keeps news of a key until its answer has come, and has those judged that no later question has. */
export function createPendingInvalidations<News>(
  { isUnderWay, settled, isAskedSince }: Ports,
  judge: (key: string, news: readonly News[]) => void,
) {
  const waiting = new Map<string, Doubt<News>[]>();
  const wait = async (key: string) => {
    while (isUnderWay(key)) await settled(key);
    const doubts = waiting.get(key) ?? [];
    waiting.delete(key);
    const left = doubts.filter(({ at }) => !isAskedSince(key, at));
    if (left.length > 0)
      judge(
        key,
        left.map(({ news }) => news),
      );
  };
  return (key: string, news: News): void => {
    const doubt = { news, at: Date.now() };
    const known = waiting.get(key);
    if (known) return void known.push(doubt);
    waiting.set(key, [doubt]);
    void wait(key);
  };
}
