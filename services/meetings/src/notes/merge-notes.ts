import { MERGED_MAX } from '@atrium/proto-events/http/after-meeting/notes';
import { mergeParagraphs } from '@atrium/proto-events/merge-paragraphs';
import { countChars } from '@atrium/proto-events/text-length';
import { AppError } from '@atrium/service-kit/http/app-error';

export const TOO_LONG = 'The notes have grown too long. Please shorten them first.';

/** The notes with what somebody made of them. Throws `conflict` where they would grow beyond what can be merged. */
export function mergeNotes(present: string, { base, text }: { base: string; text: string }) {
  const merged = mergeParagraphs({ base, theirs: present, yours: text });
  if (countChars(merged.text) > MERGED_MAX) throw new AppError('conflict', TOO_LONG);
  return merged;
}
