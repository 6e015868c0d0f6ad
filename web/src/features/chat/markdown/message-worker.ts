import { parseMessage } from './parse-message.ts';

self.addEventListener('message', ({ data }: MessageEvent<string>) => self.postMessage(parseMessage(data)));
