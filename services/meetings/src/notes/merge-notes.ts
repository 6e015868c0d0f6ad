import { MAX_MERGED_LENGTH } from '@atrium/proto-events/http/after-meeting/notes';
import { mergeParagraphs } from '@atrium/proto-events/merge-paragraphs';
import { countChars } from '@atrium/proto-events/text-length';
import { AppError } from '@atrium/service-kit/errors/app-error';

export const TOO_LONG = 'The notes have grown too long. Please shorten them first.';

/** Throws `conflict` if the result exceeds the merge limit. */
export function mergeNotes(present: string, { base, text }: { base: string; text: string }) {
  const merged = mergeParagraphs({ base, theirs: present, yours: text });
  if (countChars(merged.text) > MAX_MERGED_LENGTH) throw new AppError('conflict', TOO_LONG);
  return merged;
}
