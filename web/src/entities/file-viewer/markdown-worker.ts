import { parseMarkdown } from './parse-markdown.ts';

// An exception reaches the page as the worker's error event.
self.addEventListener('message', ({ data }: MessageEvent<string>) => self.postMessage(parseMarkdown(data)));
