import type { writeNotes } from '@atrium/proto-events/http/after-meeting/notes';
import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '../../../lib/api/api.ts';
import { ApiError, isFinal } from '../../../lib/api/api-error.ts';
import { draftAt, forgetDraft, keepDraft } from '../../../lib/forms/drafts.ts';
import { underKey } from '../../../lib/hooks/use-repeatable.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { newUuid } from '../../../lib/new-uuid.ts';
import { createPersonStore } from '../../../lib/session/person-store.ts';
import { useCurrentUser } from '../../../lib/session/use-session.ts';
import { useRefresh } from '../../../realtime/use-refresh.ts';
import { showError } from '../../../ui/overlays/toast.ts';
import { createLiveText, type LiveText, type Written } from './live-text.ts';

/** By their meetings, notes of which something was left to be sent as nobody looked at them any more. */
const left = createPersonStore(
  () => new Map<string, LiveText>(),
  (texts) => {
    for (const text of texts.values()) text.stop();
  },
);

/** The notes of a meeting as this person writes them beside others; what could not be sent is there again when they come back. */
export function useLiveNotes({ _id: id, notes, version }: Meeting) {
  const owner = useCurrentUser()._id;
  const refresh = useRefresh();
  const [live] = useState(() => {
    // The same goes on, or what is still being sent would come as somebody else's.
    const before = left.get().get(id);
    if (before) return before;
    const place = `meeting:${id}:notes-together`;
    return createLiveText(unsentIn(draftAt(place, owner)) ?? { base: notes, text: notes, version }, {
      send: async ({ base, text, key }) => {
        const input = { params: { id }, body: { base, text } };
        const answer = await call<typeof writeNotes>('PUT /meetings/:id/notes', input, underKey(key));
        refresh(`/meetings/${id}`);
        return answer;
      },
      isPassing,
      keep(unsent) {
        if (unsent) return keepDraft(owner, place, unsent);
        left.change(owner, (texts) => without(texts, id));
        forgetDraft(owner, place);
      },
      tellKept() {
        left.change(owner, (texts) => without(texts, id));
        showError('Your notes were not saved', 'They are kept on this device.');
      },
      newKey: newUuid,
    });
  });
  useEffect(() => {
    live.hear(notes, version);
  }, [live, notes, version]);
  useEffect(() => {
    left.change(owner, (texts) => without(texts, id));
    live.comeBack();
    return () => {
      if (left.owner() !== owner) return live.stop();
      if (live.get().text !== live.get().base) left.change(owner, (texts) => new Map(texts).set(id, live));
      live.leave();
    };
  }, [live, owner, id]);
  return { live, state: useSyncExternalStore(live.subscribe, live.get) };
}

function without(texts: Map<string, LiveText>, id: string): Map<string, LiveText> {
  if (!texts.has(id)) return texts;
  const others = new Map(texts);
  others.delete(id);
  return others;
}

/** No answer, or one that says to come back. */
const isPassing = (failure: unknown) => failure instanceof ApiError && !isFinal(failure);

function unsentIn(draft: unknown): Written | undefined {
  if (!isRecord(draft)) return undefined;
  const { base, text, version } = draft;
  if (typeof base !== 'string' || typeof text !== 'string' || typeof version !== 'number') return undefined;
  return { base, text, version };
}
