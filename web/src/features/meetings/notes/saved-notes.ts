import { mergeParagraphs } from '@atrium/proto-events/merge-paragraphs';
import { draftAt, forgetDraft, keepDraft, onDraftsChange, placesBelow } from '../../../lib/forms/drafts.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { newUuid } from '../../../lib/new-uuid.ts';
import type { Written } from './live-text.ts';

export type KeptNotes = ReturnType<typeof createKeptNotes>;

/**
 * Keeps on the device what one tab has of the notes of a meeting and the server has not, at a place of its own: what is of another tab is
 * not this one's to write over or to forget. `found`: what tabs that have gone left there, to go on from.
 */
export function createKeptNotes(owner: string, meetingId: string) {
  const notes = `meeting:${meetingId}:notes-together`;
  const place = `${notes}:${newUuid()}`;
  let left = placesBelow(notes, owner);
  let mine: Written | undefined;
  return {
    found: left.flatMap((one) => unsentIn(draftAt(one, owner)) ?? []).reduce<Written | undefined>(together, undefined),
    /** Keeps what was found with it, or forgets both. */
    keep(unsent: Written | undefined) {
      mine = unsent;
      if (mine) keepDraft(owner, place, mine);
      else forgetDraft(owner, place);
      for (const one of left) forgetDraft(owner, one);
      left = [];
    },
    /** Another tab took this one for gone, and has what it kept: it stays until it was sent from here. */
    follow: () =>
      onDraftsChange(() => {
        if (mine && draftAt(place, owner) === undefined) keepDraft(owner, place, mine);
      }),
  };
}

/** What was made of two versions of the notes, as made of the later one. */
function together(one: Written | undefined, other: Written): Written {
  if (!one) return other;
  const [earlier, later] = one.version < other.version ? [one, other] : [other, one];
  return { ...later, text: mergeParagraphs({ base: earlier.base, theirs: later.text, yours: earlier.text }).text };
}

function unsentIn(draft: unknown): Written | undefined {
  if (!isRecord(draft)) return undefined;
  const { base, text, version } = draft;
  if (typeof base !== 'string' || typeof text !== 'string' || typeof version !== 'number') return undefined;
  return { base, text, version };
}
