import type { Option } from '#ui/fields/option.tsx';

/** Non-Unicode encodings by their names in the Encoding Standard; the first one is the default. */
export const LEGACY_ENCODINGS = [
  { value: 'windows-1252', label: 'Western European (Windows)' },
  { value: 'macintosh', label: 'Western European (Mac)' },
  { value: 'windows-1250', label: 'Central European' },
  { value: 'windows-1257', label: 'Baltic' },
  { value: 'windows-1251', label: 'Cyrillic (Windows)' },
  { value: 'koi8-u', label: 'Cyrillic (KOI8)' },
  { value: 'windows-1253', label: 'Greek' },
  { value: 'windows-1254', label: 'Turkish' },
  { value: 'windows-1255', label: 'Hebrew' },
  { value: 'windows-1256', label: 'Arabic' },
  { value: 'windows-1258', label: 'Vietnamese' },
  { value: 'windows-874', label: 'Thai' },
  { value: 'shift_jis', label: 'Japanese' },
  { value: 'euc-kr', label: 'Korean' },
  { value: 'gb18030', label: 'Simplified Chinese' },
  { value: 'big5', label: 'Traditional Chinese' },
] as const satisfies readonly Option[];

export type LegacyEncoding = (typeof LEGACY_ENCODINGS)[number]['value'];

export const ASSUMED_ENCODING: LegacyEncoding = 'windows-1252';

export const decodeLegacy = (bytes: Uint8Array, encoding: LegacyEncoding): string =>
  new TextDecoder(encoding).decode(bytes);
