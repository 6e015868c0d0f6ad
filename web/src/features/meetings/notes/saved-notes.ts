import { mergeParagraphs } from '@atrium/proto-events/merge-paragraphs';
import { deleteDraft, getDraft, listDraftPlaces, onDraftsChange, saveDraft } from '../../../lib/forms/drafts.ts';
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
  let left = listDraftPlaces(notes, owner);
  let mine: Written | undefined;
  return {
    found: left.flatMap((one) => unsentIn(getDraft(one, owner)) ?? []).reduce<Written | undefined>(together, undefined),
    /** Keeps what was found with it, or forgets both. */
    keep(unsent: Written | undefined) {
      mine = unsent;
      if (mine) saveDraft(owner, place, mine);
      else deleteDraft(owner, place);
      for (const one of left) deleteDraft(owner, one);
      left = [];
    },
    /** Another tab took this one for gone, and has what it kept: it stays until it was sent from here. */
    follow: () =>
      onDraftsChange(() => {
        if (mine && getDraft(place, owner) === undefined) saveDraft(owner, place, mine);
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
