const MAX_LENGTH = 255;

// Control characters, and the invisible ones that turn the direction of text to disguise an extension.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A file's name as it may be shown and stored: no path, nothing invisible, at most 255 characters with its extension kept. */
export function cleanFileName(given: string | undefined): string {
  const base = (given ?? '').toWellFormed().normalize('NFC').split(/[\\/]/).at(-1) ?? '';
  const name = visibleName(base);
  if (name === '' || /^\.+$/.test(name)) return 'file';
  if (name.length <= MAX_LENGTH) return name;
  const extension = extensionOf(name);
  const room = MAX_LENGTH - (extension === '' ? 0 : extension.length + 1);
  return name.slice(0, room).toWellFormed() + (extension === '' ? '' : `.${extension}`);
}

/** A name that a person gave, without what nobody sees in it; empty where that was all. */
export const visibleName = (given: string): string => given.replace(INVISIBLE, '').trim();

/** The letters after the last dot in lower case, empty without a sane one. */
export function extensionOf(name: string): string {
  return /[^.]\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? '';
}
