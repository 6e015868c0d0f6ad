import { afterEach, expect, it, jest } from '@jest/globals';
import { readFirstBytes } from './text-view.tsx';

afterEach(() => {
  jest.restoreAllMocks();
});

const UTF_16 = [0xff, 0xfe, 0x42, 0x00, 0x4d, 0x00, 0x57, 0x00];

it.each([
  ['text/plain; charset=utf-16le', UTF_16, 'BMW'],
  ['text/plain; charset=windows-1252', [0x47, 0x72, 0xfc, 0xdf, 0x65], 'Grüße'],
  ['text/plain; charset=utf-8', [0xef, 0xbb, 0xbf, 0xc3, 0xbc], 'ü'],
  ['text/plain', [0xc3, 0xbc], 'ü'],
])('readFirstBytes decodes %s in its encoding', async (type, bytes, text) => {
  const response = new Response(Uint8Array.from(bytes), { headers: { 'content-type': type } });
  jest.spyOn(globalThis, 'fetch').mockResolvedValue(response);
  expect(await readFirstBytes('/file', 100)).toBe(text);
});
