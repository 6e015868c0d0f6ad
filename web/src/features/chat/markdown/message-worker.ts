import { parseMessage } from './parse-message.ts';

self.addEventListener('message', ({ data }: MessageEvent<readonly string[]>) =>
  self.postMessage(data.map(parseMessage)),
);
