import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import type { writeNotes } from '@atrium/proto-events/http/meetings/notes';
import { mergeParagraphs } from '@atrium/proto-events/merge-paragraphs';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '#lib/api/api.ts';
import { ApiError, isFinal } from '#lib/api/api-error.ts';
import { deleteDraft, getDraft, listDraftPlaces, onDraftsChange, saveDraft } from '#lib/forms/drafts.ts';
import { idempotencyOptions } from '#lib/hooks/use-idempotency-key.ts';
import { isRecord } from '#lib/is-record.ts';
import { newUuid } from '#lib/new-uuid.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { useRefetchPaths } from '#realtime/use-refetch.ts';
import { showError } from '#ui/overlays/toast.ts';
import { createLiveText, type LiveText, type NotesDraft } from './live-text.ts';

type Writing = { live: LiveText; savedNotes: SavedNotes };

/** Notes with unsent changes whose editor is closed, by meeting id. */
const closedEditors = createUserScopedStore(
  () => new Map<string, Writing>(),
  (texts) => {
    for (const { live } of texts.values()) live.stop();
  },
);

export function useLiveNotes({ _id: id, notes, version }: Meeting) {
  const owner = useCurrentUser()._id;
  const refetchPaths = useRefetchPaths();
  const [writing] = useState(() => {
    // Reuses the same instance, or a request in flight would look like a remote change.
    const existing = closedEditors.get().get(id);
    if (existing) return existing;
    const savedNotes = createSavedNotes(owner, id);
    const live = createLiveText(savedNotes.recoveredNotes ?? { base: notes, text: notes, version }, {
      send: async ({ base, text, key }) => {
        const input = { params: { id }, body: { base, text } };
        const response = await call<typeof writeNotes>('PUT /meetings/:id/notes', input, idempotencyOptions(key));
        refetchPaths(`/meetings/${id}`);
        return response;
      },
      isTransient,
      store(unsent) {
        if (!unsent) closedEditors.change(owner, (texts) => without(texts, id));
        savedNotes.store(unsent);
      },
      onStored() {
        closedEditors.change(owner, (texts) => without(texts, id));
        showError('Your notes were not saved', 'They are kept on this device.');
      },
      newKey: newUuid,
    });
    return { live, savedNotes };
  });
  const { live, savedNotes } = writing;
  useEffect(() => {
    live.receive(notes, version);
  }, [live, notes, version]);
  useEffect(() => {
    closedEditors.change(owner, (texts) => without(texts, id));
    live.reopen();
    return () => {
      if (closedEditors.owner() !== owner) return live.stop();
      if (live.get().text !== live.get().base) closedEditors.change(owner, (texts) => new Map(texts).set(id, writing));
      live.close();
    };
  }, [writing, live, owner, id]);
  useEffect(() => {
    return savedNotes.follow();
  }, [savedNotes]);
  return { live, state: useSyncExternalStore(live.subscribe, live.get) };
}

function without(texts: Map<string, Writing>, id: string): Map<string, Writing> {
  if (!texts.has(id)) return texts;
  const otherTexts = new Map(texts);
  otherTexts.delete(id);
  return otherTexts;
}

const isTransient = (failure: unknown) => failure instanceof ApiError && !isFinal(failure);

type SavedNotes = ReturnType<typeof createSavedNotes>;

/** Stores notes in an entry for each tab, because an entry of another open tab must not be overwritten or removed. */
export function createSavedNotes(owner: string, meetingId: string) {
  const notes = `meeting:${meetingId}:notes-together`;
  const draftKey = `${notes}:${newUuid()}`;
  let closedTabKeys = listDraftPlaces(notes, owner);
  let ownNotes: NotesDraft | undefined;
  return {
    /** The notes of closed tabs. */
    recoveredNotes: closedTabKeys
      .flatMap((key) => parseUnsent(getDraft(key, owner)) ?? [])
      .reduce<NotesDraft | undefined>(combine, undefined),
    /** Stores the notes with those of closed tabs, or removes both. */
    store(unsent: NotesDraft | undefined) {
      ownNotes = unsent;
      if (ownNotes) saveDraft(owner, draftKey, ownNotes);
      else deleteDraft(owner, draftKey);
      for (const key of closedTabKeys) deleteDraft(owner, key);
      closedTabKeys = [];
    },
    /** Stores the notes again if another tab assumed this one closed and adopted them, until this tab has sent them. */
    follow: () =>
      onDraftsChange(() => {
        if (ownNotes && getDraft(draftKey, owner) === undefined) saveDraft(owner, draftKey, ownNotes);
      }),
  };
}

function combine(a: NotesDraft | undefined, b: NotesDraft): NotesDraft {
  if (!a) return b;
  const [earlier, later] = a.version < b.version ? [a, b] : [b, a];
  return { ...later, text: mergeParagraphs({ base: earlier.base, theirs: later.text, yours: earlier.text }).text };
}

function parseUnsent(draft: unknown): NotesDraft | undefined {
  if (!isRecord(draft)) return undefined;
  const { base, text, version } = draft;
  if (typeof base !== 'string' || typeof text !== 'string' || typeof version !== 'number') return undefined;
  return { base, text, version };
}
