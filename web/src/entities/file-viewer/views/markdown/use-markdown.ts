import type { Root } from 'hast';
import { useEffect, useState } from 'react';

/** A manual takes less than a second; a malicious file of a few kilobytes can take minutes. */
const DEADLINE_MS = 5_000;

/** Parses Markdown in a worker, so that no file can block the page. Undefined while parsing, `null` if it fails or times out. */
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
