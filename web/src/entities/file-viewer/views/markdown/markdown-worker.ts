import { parseMarkdown } from './parse-markdown.ts';

// What it throws comes to whoever asked as an error of the worker.
self.addEventListener('message', ({ data }: MessageEvent<string>) => self.postMessage(parseMarkdown(data)));
