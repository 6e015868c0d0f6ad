import { toNormalForm } from '@atrium/proto-events/text/normal-form';
import { hasVisibleText, toOneLine } from '@atrium/proto-events/text/normalize';
import { truncate } from '@atrium/proto-events/text/truncate';
import { countChars } from '@atrium/proto-events/text-length';
import { visibleName } from './visible-name.ts';

const MAX_LENGTH = 255;

/**
 * A file name for display and storage: on one line, without path and invisible characters, at most 255 characters
 * including its extension.
 */
export function cleanFileName(given: string | undefined): string {
  const composed = toNormalForm((given ?? '').toWellFormed(), 'NFC');
  const base = composed.split(/[\\/]/).at(-1) ?? '';
  // Invisible characters may separate two spaces.
  const name = toOneLine(visibleName(toOneLine(base)));
  if (!hasVisibleText(name) || /^\.+$/.test(name)) return 'file';
  if (countChars(name) <= MAX_LENGTH) return name;
  const extension = extensionOf(name);
  const end = extension === '' ? '' : `.${extension}`;
  // Truncation may leave a trailing joiner or space.
  return visibleName(truncate(name, MAX_LENGTH - end.length)) + end;
}

/** The letters after the last dot in lowercase, empty if there is no plausible extension. */
export function extensionOf(name: string): string {
  return /[^.]\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? '';
}
