import type { Root } from 'hast';
import { useEffect, useState } from 'react';

/** A handbook takes less than a second. Some kilobytes that somebody made for it take minutes. */
const DEADLINE_MS = 5_000;

/**
 * What Markdown means, read beside the page so that nothing in a file can hold the page up; undefined as long as it is read, and `null`
 * where it cannot be, or not in time.
 */
export function useMarkdown(text: string): Root | null | undefined {
  const [read, setRead] = useState<{ text: string; root: Root | null }>();
  useEffect(() => {
    const worker = new Worker(new URL('./markdown-worker.ts', import.meta.url), { type: 'module' });
    const finish = (root: Root | null) => {
      clearTimeout(deadline);
      worker.terminate();
      setRead({ text, root });
    };
    const deadline = setTimeout(finish, DEADLINE_MS, null);
    worker.addEventListener('message', ({ data }: MessageEvent<Root>) => finish(data));
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      finish(null);
    });
    worker.postMessage(text);
    return () => {
      clearTimeout(deadline);
      worker.terminate();
    };
  }, [text]);
  return read?.text === text ? read.root : undefined;
}
