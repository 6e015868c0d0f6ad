import { useState } from 'react';
import { useAllDepartments } from '#entities/department/use-departments.ts';
import type { AnnouncedFailure } from '#lib/forms/announced-failure.ts';
import { useUnsavedChanges } from '#lib/forms/unsaved-changes.tsx';
import { showErrorToast } from '#ui/overlays/show-error-toast.ts';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useBulkDraft } from './bulk-draft.ts';
import { checkRows, isReady } from './check-rows.ts';
import type { InviteRow } from './invite-row.ts';
import type { LegacyEncoding } from './legacy-encodings.ts';
import type { FileText } from './read-text-file.ts';
import { activeNames } from './row-values.ts';
import { useEncodingChoice } from './use-encoding-choice.ts';
import { useKnownEmails } from './use-known-emails.ts';
import { useRowActions } from './use-row-actions.ts';
import { type SentInvitation, useSendInvitations } from './use-send-invitations.ts';

/** The state of a bulk invitation: rows, problems, and sent invitations. */
export function useBulkInvite() {
  const { draft, setDraft, stored, isChanged } = useBulkDraft();
  const [sent, setSent] = useState<readonly SentInvitation[]>([]);
  const [failure, setFailure] = useState<AnnouncedFailure>();
  const answer = useAllDepartments();
  const departments = answer.data?.data ?? [];
  const actions = useRowActions(setDraft, departments);
  const encoding = useEncodingChoice({
    rows: draft.rows,
    departments: activeNames(departments),
    onDecoded: actions.decodeAgain,
  });
  const knownEmails = useKnownEmails(draft.rows.map(({ email }) => email));
  const checked = checkRows(draft.rows, { departments, defaults: draft.defaults, knownEmails });
  const ready = checked.filter(isReady);
  const outgoing = useSendInvitations({
    onInvited: (id, invitation) => {
      actions.remove(id);
      setSent((before) => [...before, invitation]);
    },
    onFailed: actions.fail,
  });
  useUnsavedChanges(isChanged || outgoing.progress !== undefined);
  const send = async () => {
    setFailure(undefined);
    const { sentCount, stoppedBy } = await outgoing.send(actions.begin(ready));
    if (sentCount > 0) showSuccess(sentCount === 1 ? 'Invitation sent successfully' : `${sentCount} invitations sent`);
    if (stoppedBy !== undefined) setFailure(showErrorToast(stoppedBy, 'Failed to send the invitations'));
  };
  return {
    draft,
    stored,
    sent,
    failure,
    departments,
    isMissingDepartments: answer.data === undefined && answer.error !== undefined,
    checked,
    readyCount: ready.length,
    actions,
    encoding: encoding.encoding,
    chooseEncoding: (chosen: LegacyEncoding) => {
      setDraft((before) => ({ ...before, isEncodingGuessed: false }));
      encoding.choose(chosen);
    },
    addRows: (rows: readonly InviteRow[], legacy?: Uint8Array) => {
      actions.add(rows);
      if (!legacy) return;
      setDraft((before) => ({ ...before, isEncodingGuessed: true }));
      encoding.start(legacy, rows);
    },
    progress: outgoing.progress,
    send,
    setText: (text: string) => setDraft((before) => ({ ...before, text })),
    setTextIfEmpty: ({ text, legacy }: FileText) =>
      setDraft((before) =>
        before.text.trim() === ''
          ? { ...before, text, isEncodingGuessed: before.isEncodingGuessed || legacy !== undefined }
          : before,
      ),
    setDefault: (field: 'role' | 'department', value: string) =>
      setDraft((before) => ({ ...before, defaults: { ...before.defaults, [field]: value } })),
  };
}

export type BulkInviteState = ReturnType<typeof useBulkInvite>;
