import { toNormalForm } from '@atrium/proto-events/text/normal-form';
import { hasVisibleText, toOneLine } from '@atrium/proto-events/text/normalize';
import { visibleName } from './visible-name.ts';

const MAX_LENGTH = 255;

/** A file's name as it may be shown and stored: on one line, no path, nothing invisible, at most 255 characters with its extension kept. */
export function cleanFileName(given: string | undefined): string {
  const composed = toNormalForm((given ?? '').toWellFormed(), 'NFC');
  const base = composed.split(/[\\/]/).at(-1) ?? '';
  // What is invisible may stand between two spaces.
  const name = toOneLine(visibleName(toOneLine(base)));
  if (!hasVisibleText(name) || /^\.+$/.test(name)) return 'file';
  if (name.length <= MAX_LENGTH) return name;
  const extension = extensionOf(name);
  const room = MAX_LENGTH - (extension === '' ? 0 : extension.length + 1);
  // The cut may leave a joiner or half a character at the end.
  const start = visibleName(name.slice(0, room).replace(/\p{Cs}$/u, ''));
  return start + (extension === '' ? '' : `.${extension}`);
}

/** The letters after the last dot in lower case, empty without a sane one. */
export function extensionOf(name: string): string {
  return /[^.]\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? '';
}
