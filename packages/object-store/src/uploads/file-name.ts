import { toNormalForm } from '@atrium/proto-events/text/normal-form';
import { hasVisibleText, toOneLine } from '@atrium/proto-events/text/normalize';
import { truncate } from '@atrium/proto-events/text/truncate';
import { countChars } from '@atrium/proto-events/text-length';
import { visibleName } from './visible-name.ts';

const MAX_LENGTH = 255;

/** A file's name as it may be shown and stored: on one line, no path, nothing invisible, at most 255 characters with its extension kept. */
export function cleanFileName(given: string | undefined): string {
  const composed = toNormalForm((given ?? '').toWellFormed(), 'NFC');
  const base = composed.split(/[\\/]/).at(-1) ?? '';
  // What is invisible may stand between two spaces.
  const name = toOneLine(visibleName(toOneLine(base)));
  if (!hasVisibleText(name) || /^\.+$/.test(name)) return 'file';
  if (countChars(name) <= MAX_LENGTH) return name;
  const extension = extensionOf(name);
  const end = extension === '' ? '' : `.${extension}`;
  // The cut may leave a joiner or a space at the end.
  return visibleName(truncate(name, MAX_LENGTH - end.length)) + end;
}

/** The letters after the last dot in lower case, empty without a sane one. */
export function extensionOf(name: string): string {
  return /[^.]\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? '';
}
