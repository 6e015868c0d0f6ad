import type { writeNotes } from '@atrium/proto-events/http/after-meeting/notes';
import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '../../../lib/api/api.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { draftAt, forgetDraft, keepDraft } from '../../../lib/forms/drafts.ts';
import { underKey } from '../../../lib/hooks/use-repeatable.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { newUuid } from '../../../lib/new-uuid.ts';
import { useCurrentUser } from '../../../lib/session/use-session.ts';
import { useRefresh } from '../../../realtime/use-refresh.ts';
import { createLiveText, type Written } from './live-text.ts';

/** The notes of a meeting as this person writes them beside others; what could not be sent is there again when they come back. */
export function useLiveNotes({ _id: id, notes, version }: Meeting) {
  const owner = useCurrentUser()._id;
  const refresh = useRefresh();
  const [live] = useState(() => {
    const place = `meeting:${id}:notes-together`;
    return createLiveText(unsentIn(draftAt(place, owner)) ?? { base: notes, text: notes, version }, {
      send: async ({ base, text, key }) => {
        const input = { params: { id }, body: { base, text } };
        const answer = await call<typeof writeNotes>('PUT /meetings/:id/notes', input, underKey(key));
        refresh('/meetings');
        return answer;
      },
      isPassing,
      keep: (unsent) => (unsent ? keepDraft(owner, place, unsent) : forgetDraft(owner, place)),
      newKey: newUuid,
    });
  });
  useEffect(() => {
    live.hear(notes, version);
  }, [live, notes, version]);
  useEffect(() => {
    return () => live.leave();
  }, [live]);
  return { live, state: useSyncExternalStore(live.subscribe, live.get) };
}

/** No answer, or one that says to come back. */
const isPassing = (failure: unknown) =>
  failure instanceof ApiError && (failure.status === 0 || failure.status === 429 || failure.status >= 500);

function unsentIn(draft: unknown): Written | undefined {
  if (!isRecord(draft)) return undefined;
  const { base, text, version } = draft;
  if (typeof base !== 'string' || typeof text !== 'string' || typeof version !== 'number') return undefined;
  return { base, text, version };
}
