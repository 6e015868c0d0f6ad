export type Decoder = { decode(bytes?: Uint8Array, options?: { stream?: boolean }): string };

const BYTE_ORDER_MARK = 0xfeff;
const LAST_CODE_POINT = 0x10ffff;
const REPLACEMENT = '\ufffd';

/** Also UTF-32, which the Encoding Standard omits. Throws `RangeError` for unknown encodings. */
export function createDecoder(encoding: string): Decoder {
  if (encoding === 'utf-32le') return createUtf32Decoder(true);
  return encoding === 'utf-32be' ? createUtf32Decoder(false) : new TextDecoder(encoding);
}

/** Like `TextDecoder`: strips the byte-order mark, and decodes invalid code points as U+FFFD. */
function createUtf32Decoder(isLittleEndian: boolean): Decoder {
  let rest = new Uint8Array();
  let isStart = true;
  return {
    decode(bytes = new Uint8Array(), { stream = false } = {}) {
      const all = new Uint8Array(rest.length + bytes.length);
      all.set(rest);
      all.set(bytes, rest.length);
      const view = new DataView(all.buffer);
      const end = all.length - (all.length % 4);
      let text = '';
      for (let at = 0; at < end; at += 4) {
        const code = view.getUint32(at, isLittleEndian);
        if (!(isStart && code === BYTE_ORDER_MARK)) text += charOf(code);
        isStart = false;
      }
      rest = stream ? all.slice(end) : new Uint8Array();
      return stream || end === all.length ? text : text + REPLACEMENT;
    },
  };
}

const charOf = (code: number): string =>
  code > LAST_CODE_POINT || (code >= 0xd800 && code <= 0xdfff) ? REPLACEMENT : String.fromCodePoint(code);
