/** @jest-environment node */
import { describe, expect, it } from '@jest/globals';
import { readTextFile } from './read-text-file.ts';

const TEXT = 'email;name\nåsa@example.org;Åsa Öberg';
const utf16 = (text: string) =>
  new Uint8Array(Uint16Array.from([...text], (character) => character.charCodeAt(0)).buffer);
const swapBytes = (bytes: Uint8Array) => bytes.map((_, index) => bytes[index ^ 1] ?? 0);
const latin = (text: string) => Uint8Array.from([...text], (character) => character.charCodeAt(0));
const buildFile = (bytes: Uint8Array<ArrayBuffer> | string) => new File([bytes], 'people.csv');

describe('readTextFile', () => {
  it.each<[string, Uint8Array<ArrayBuffer> | string]>([
    ['UTF-8', TEXT],
    ['UTF-8 with a byte order mark', `\uFEFF${TEXT}`],
    ['UTF-16 as Excel writes it', utf16(`\uFEFF${TEXT}`)],
    ['UTF-16 with the opposite byte order', swapBytes(utf16(`\uFEFF${TEXT}`))],
    ['UTF-16 without a byte order mark', utf16(TEXT)],
    ['Windows-1252', latin(TEXT)],
  ])('reads %s', async (encoding, bytes) => {
    const { text, legacy } = await readTextFile(buildFile(bytes));
    expect(text).toBe(TEXT);
    expect(legacy).toEqual(encoding === 'Windows-1252' ? bytes : undefined);
  });

  it('rejects a spreadsheet or more than 1 MB, with instructions', async () => {
    await expect(readTextFile(buildFile('PK\u0003\u0004\u0000\u0000'))).rejects.toThrow(
      'Save the spreadsheet as CSV first',
    );
    await expect(readTextFile(buildFile('a'.repeat(1_000_001)))).rejects.toThrow('This file is too large');
  });
});
