export type Decoder = { decode(bytes?: Uint8Array, options?: { stream?: boolean }): string };

const BYTE_ORDER_MARK = 0xfeff;
const LAST_CODE_POINT = 0x10ffff;
const REPLACEMENT = '\ufffd';

/** Supports UTF-32 as well, which the Encoding Standard omits. Throws `RangeError` for unknown encodings. */
export function createDecoder(encoding: string): Decoder {
  if (encoding === 'utf-32le') return createUtf32Decoder(true);
  return encoding === 'utf-32be' ? createUtf32Decoder(false) : new TextDecoder(encoding);
}

/** Like `TextDecoder`: strips the byte-order mark, and decodes invalid code points as U+FFFD. */
function createUtf32Decoder(isLittleEndian: boolean): Decoder {
  let incompleteBytes = new Uint8Array();
  let isStart = true;
  return {
    decode(bytes = new Uint8Array(), { stream = false } = {}) {
      const allBytes = new Uint8Array(incompleteBytes.length + bytes.length);
      allBytes.set(incompleteBytes);
      allBytes.set(bytes, incompleteBytes.length);
      const view = new DataView(allBytes.buffer);
      const end = allBytes.length - (allBytes.length % 4);
      let text = '';
      for (let at = 0; at < end; at += 4) {
        const code = view.getUint32(at, isLittleEndian);
        if (!(isStart && code === BYTE_ORDER_MARK)) text += toCharacter(code);
        isStart = false;
      }
      incompleteBytes = stream ? allBytes.slice(end) : new Uint8Array();
      return stream || end === allBytes.length ? text : text + REPLACEMENT;
    },
  };
}

const toCharacter = (code: number): string =>
  code > LAST_CODE_POINT || (code >= 0xd800 && code <= 0xdfff) ? REPLACEMENT : String.fromCodePoint(code);
