import type { checkInvites, KnownEmail } from '@atrium/proto-events/http/invitations';
import { parseEmailAddress } from '@atrium/proto-events/text/email';
import { useState } from 'react';
import useSWR from 'swr';
import { useAllDepartments } from '#entities/department/use-departments.ts';
import { call } from '#lib/api/api.ts';
import { useUnsavedChanges } from '#lib/forms/unsaved-changes.ts';
import type { AnnouncedFailure } from '#lib/forms/use-entry-form.ts';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { showErrorToast, showSuccess } from '#ui/overlays/toast.ts';
import { useBulkDraft, useRowActions } from './bulk-draft.ts';
import { checkRows, isReady } from './check-rows.ts';
import { activeNames, type InviteRow } from './invite-row.ts';
import { parseInviteList } from './parse-invite-list.ts';
import { ASSUMED_ENCODING, decodeLegacy, type FileText, type LegacyEncoding } from './read-text-file.ts';
import { type SentInvitation, useSendInvitations } from './use-send-invitations.ts';

const NONE: readonly KnownEmail[] = [];

/**
 * The key is below `/auth/invites`, so another administrator's invitation refreshes it. If it fails to load,
 * every address counts as free, and the server rejects taken ones.
 */
function useKnownEmails(emails: readonly string[]): readonly KnownEmail[] {
  const valid = [...new Set(emails.map((email) => parseEmailAddress(email)))]
    .filter((email) => email !== undefined)
    .sort();
  const list = useDebounced(valid.join('\n'), 400);
  const { data } = useSWR(
    list === '' ? null : `/auth/invites/check?emails=${encodeURIComponent(list)}`,
    () => call<typeof checkInvites>('POST /auth/invites/check', { body: { emails: list.split('\n') } }),
    { keepPreviousData: true },
  );
  return data?.data ?? NONE;
}

export function useBulkInvite() {
  const { draft, setDraft, stored, isChanged } = useBulkDraft();
  const [sent, setSent] = useState<readonly SentInvitation[]>([]);
  const [failure, setFailure] = useState<AnnouncedFailure>();
  const allDepartments = useAllDepartments();
  const departments = allDepartments.data?.data ?? [];
  const actions = useRowActions(setDraft, departments);
  const encoding = useEncodingChoice({
    rows: draft.rows,
    departments: activeNames(departments),
    onDecoded: actions.decodeAgain,
  });
  const knownEmails = useKnownEmails(draft.rows.map(({ email }) => email));
  const checked = checkRows(draft.rows, { departments, defaults: draft.defaults, knownEmails });
  const readyRows = checked.filter(isReady);
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
    const { sentCount, stoppedBy } = await outgoing.send(actions.begin(readyRows));
    if (sentCount > 0) showSuccess(sentCount === 1 ? 'Invitation sent successfully' : `${sentCount} invitations sent`);
    if (stoppedBy !== undefined) setFailure(showErrorToast(stoppedBy, 'Failed to send the invitations'));
  };
  return {
    draft,
    stored,
    sent,
    failure,
    departments,
    isMissingDepartments: allDepartments.data === undefined && allDepartments.error !== undefined,
    checked,
    readyCount: readyRows.length,
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

type LegacyFile = { bytes: Uint8Array; encoding: LegacyEncoding; rows: readonly InviteRow[] };

type Options = {
  rows: readonly InviteRow[];
  departments: readonly string[];
  onDecoded: (before: readonly InviteRow[], after: readonly InviteRow[]) => void;
};

function useEncodingChoice({ rows: currentRows, departments, onDecoded }: Options) {
  const [file, setFile] = useState<LegacyFile>();
  const choose = (encoding: LegacyEncoding) => {
    if (!file) return;
    const decodedRows = parseInviteList(decodeLegacy(file.bytes, encoding), departments);
    const rows = decodedRows.map((row, index) => ({ ...row, id: file.rows[index]?.id ?? row.id }));
    onDecoded(file.rows, rows);
    setFile({ ...file, encoding, rows });
  };
  const isListed = file?.rows.some(({ id }) => currentRows.some((row) => row.id === id));
  return {
    encoding: isListed ? file?.encoding : undefined,
    choose,
    start: (bytes: Uint8Array, rows: readonly InviteRow[]) => setFile({ bytes, rows, encoding: ASSUMED_ENCODING }),
  };
}
