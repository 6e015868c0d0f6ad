import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import type { writeNotes } from '@atrium/proto-events/http/meetings/notes';
import { mergeParagraphs } from '@atrium/proto-events/merge-paragraphs';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '#lib/api/api.ts';
import { ApiError, isFinal } from '#lib/api/api-error.ts';
import { deleteDraft, getDraft, listDraftKeys, onDraftsChange, saveDraft } from '#lib/forms/drafts.ts';
import { idempotencyOptions } from '#lib/hooks/use-idempotency-key.ts';
import { isRecord } from '#lib/is-record.ts';
import { newUuid } from '#lib/new-uuid.ts';
import { useRefetch } from '#lib/query/use-refetch.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { showError } from '#ui/overlays/toast.ts';
import { createLiveText, type LiveText, type NotesDraft } from './live-text.ts';

type EditorSession = { live: LiveText; draftStore: NotesDraftStore };

/** Sessions with unsent changes whose editor is closed, by meeting id. */
const unsentSessions = createUserScopedStore(
  () => new Map<string, EditorSession>(),
  (sessions) => {
    for (const { live } of sessions.values()) live.stop();
  },
);

export function useLiveNotes({ _id: id, notes, version }: Meeting) {
  const owner = useCurrentUser()._id;
  const refetch = useRefetch();
  const [session] = useState(() => {
    // Reuses the same instance, or a request in flight would look like a remote change.
    const existing = unsentSessions.get().get(id);
    if (existing) return existing;
    const draftStore = createNotesDraftStore(owner, id);
    const live = createLiveText(draftStore.recoveredDraft ?? { base: notes, text: notes, version }, {
      send: async ({ base, text, key }) => {
        const input = { params: { id }, body: { base, text } };
        const response = await call<typeof writeNotes>('PUT /meetings/:id/notes', input, idempotencyOptions(key));
        refetch(`/meetings/${id}`);
        return response;
      },
      isTransient,
      setDraft(unsent) {
        if (!unsent) unsentSessions.change(owner, (sessions) => without(sessions, id));
        draftStore.set(unsent);
      },
      onKeptLocally() {
        unsentSessions.change(owner, (sessions) => without(sessions, id));
        showError('Your notes were not saved', 'They are kept on this device.');
      },
      newKey: newUuid,
    });
    return { live, draftStore };
  });
  const { live, draftStore } = session;
  useEffect(() => {
    live.receive(notes, version);
  }, [live, notes, version]);
  useEffect(() => {
    unsentSessions.change(owner, (sessions) => without(sessions, id));
    live.reopen();
    return () => {
      if (unsentSessions.owner() !== owner) return live.stop();
      if (live.get().text !== live.get().base)
        unsentSessions.change(owner, (sessions) => new Map(sessions).set(id, session));
      live.close();
    };
  }, [session, live, owner, id]);
  useEffect(() => {
    return draftStore.restoreOnTakeover();
  }, [draftStore]);
  return { live, state: useSyncExternalStore(live.subscribe, live.get) };
}

function without(sessions: Map<string, EditorSession>, id: string): Map<string, EditorSession> {
  if (!sessions.has(id)) return sessions;
  const otherSessions = new Map(sessions);
  otherSessions.delete(id);
  return otherSessions;
}

const isTransient = (failure: unknown) => failure instanceof ApiError && !isFinal(failure);

type NotesDraftStore = ReturnType<typeof createNotesDraftStore>;

/** Keeps one draft per tab, because the draft of another open tab must not be overwritten or removed. */
export function createNotesDraftStore(owner: string, meetingId: string) {
  const keyPrefix = `meeting:${meetingId}:notes-together`;
  const draftKey = `${keyPrefix}:${newUuid()}`;
  let closedTabKeys = listDraftKeys(keyPrefix, owner);
  let ownDraft: NotesDraft | undefined;
  return {
    /** The merged drafts of closed tabs. */
    recoveredDraft: closedTabKeys
      .flatMap((key) => parseDraft(getDraft(key, owner)) ?? [])
      .reduce<NotesDraft | undefined>(combine, undefined),
    /** Saves the draft, or deletes it if undefined, and deletes the recovered ones, which it includes. */
    set(unsent: NotesDraft | undefined) {
      ownDraft = unsent;
      if (ownDraft) saveDraft(owner, draftKey, ownDraft);
      else deleteDraft(owner, draftKey);
      for (const key of closedTabKeys) deleteDraft(owner, key);
      closedTabKeys = [];
    },
    /** Saves the draft again whenever another tab takes it over by mistake, until this tab has sent it. */
    restoreOnTakeover: () =>
      onDraftsChange(() => {
        if (ownDraft && getDraft(draftKey, owner) === undefined) saveDraft(owner, draftKey, ownDraft);
      }),
  };
}

function combine(a: NotesDraft | undefined, b: NotesDraft): NotesDraft {
  if (!a) return b;
  const [earlier, later] = a.version < b.version ? [a, b] : [b, a];
  return { ...later, text: mergeParagraphs({ base: earlier.base, theirs: later.text, yours: earlier.text }).text };
}

function parseDraft(draft: unknown): NotesDraft | undefined {
  if (!isRecord(draft)) return undefined;
  const { base, text, version } = draft;
  if (typeof base !== 'string' || typeof text !== 'string' || typeof version !== 'number') return undefined;
  return { base, text, version };
}
