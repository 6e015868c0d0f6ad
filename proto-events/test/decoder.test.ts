import { describe, expect, it } from '@jest/globals';
import { createDecoder } from '../src/text/decoder.ts';

const toLittleEndian = (...codes: number[]) =>
  Uint8Array.from(codes.flatMap((code) => [code & 0xff, (code >> 8) & 0xff, (code >> 16) & 0xff, code >>> 24]));

describe('createDecoder', () => {
  it('strips the byte-order mark of UTF-32 only at the start, and replaces invalid code points', () => {
    const decoder = createDecoder('utf-32le');
    expect(decoder.decode(toLittleEndian(0xfeff, 0x41, 0xfeff, 0x1f389, 0xd800, 0x110000))).toBe(
      'A\ufeff\u{1f389}\ufffd\ufffd',
    );
    expect(createDecoder('utf-32be').decode(toLittleEndian(0xfeff, 0x41).reverse().subarray(0, 4))).toBe('A');
  });

  it('buffers the bytes of an incomplete UTF-32 character', () => {
    const bytes = toLittleEndian(0xfeff, 0x41, 0x1f389);
    const decoder = createDecoder('utf-32le');
    const parts = [...bytes].map((byte) => decoder.decode(Uint8Array.of(byte), { stream: true }));
    expect(parts.join('') + decoder.decode()).toBe('A\u{1f389}');
    expect(createDecoder('utf-32le').decode(bytes.subarray(0, 10))).toBe('A\ufffd');
  });

  it('uses the Encoding Standard for other encodings', () => {
    expect(createDecoder('windows-1252').decode(Uint8Array.of(0x80))).toBe('€');
  });
});
