import { mergeParagraphs } from '@atrium/proto-events/merge-paragraphs';
import { lengthOf } from '@atrium/proto-events/text-length';
import { AppError } from '@atrium/service-kit/http/app-error';

/** What a person may write is far less: only what several wrote into the same place can grow so long. */
const MOST = 20_000;
export const TOO_LONG = 'The notes have grown too long. Please shorten them first.';

/** The notes with what somebody made of them. Throws `conflict` where they would grow beyond what can be merged. */
export function mergeNotes(present: string, { base, text }: { base: string; text: string }) {
  const merged = mergeParagraphs({ base, theirs: present, yours: text });
  if (lengthOf(merged.text) > MOST) throw new AppError('conflict', TOO_LONG);
  return merged;
}
