import { mergeParagraphs } from '@atrium/proto-events/merge-paragraphs';
import { deleteDraft, getDraft, listDraftPlaces, onDraftsChange, saveDraft } from '#lib/forms/drafts.ts';
import { isRecord } from '#lib/is-record.ts';
import { newUuid } from '#lib/new-uuid.ts';
import type { Written } from './live-text.ts';

export type SavedNotes = ReturnType<typeof createSavedNotes>;

/**
 * Stores a tab's unsent notes of a meeting on the device, in an entry of its own: another tab's entry must not be overwritten or removed.
 * `found` are the notes left by closed tabs.
 */
export function createSavedNotes(owner: string, meetingId: string) {
  const notes = `meeting:${meetingId}:notes-together`;
  const place = `${notes}:${newUuid()}`;
  let left = listDraftPlaces(notes, owner);
  let mine: Written | undefined;
  return {
    found: left.flatMap((one) => unsentIn(getDraft(one, owner)) ?? []).reduce<Written | undefined>(together, undefined),
    /** Stores the notes with those found, or removes both. */
    keep(unsent: Written | undefined) {
      mine = unsent;
      if (mine) saveDraft(owner, place, mine);
      else deleteDraft(owner, place);
      for (const one of left) deleteDraft(owner, one);
      left = [];
    },
    /** Another tab assumed this one closed and adopted its notes; they stay stored until sent from here. */
    follow: () =>
      onDraftsChange(() => {
        if (mine && getDraft(place, owner) === undefined) saveDraft(owner, place, mine);
      }),
  };
}

/** Combines two versions of the notes, based on the later one. */
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
