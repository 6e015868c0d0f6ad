import { UserPlus } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { INVITED_ROLE_OPTIONS } from '#entities/user/roles.ts';
import { Button } from '#ui/button.tsx';
import { Select } from '#ui/fields/select.tsx';
import { DraftNotice } from '#ui/forms/form-notices.tsx';
import { FormFailure } from '#ui/notice.tsx';
import { DialogBody, FieldRow } from '#ui/overlays/dialog-parts.ts';
import { ProgressBar } from '#ui/pages/progress-bar.tsx';
import { theme } from '#ui/theme.ts';
import { departmentOptions } from './invite-row.ts';
import { PreviewList } from './preview-list.tsx';
import { SentList } from './sent-list.tsx';
import type { BulkInviteState } from './use-bulk-invite.ts';

type Props = { state: BulkInviteState; notice: ReactNode; onAdd: () => void };

export function ListReview({ state, notice, onAdd }: Props) {
  const { draft, checked, sent, progress, departments } = state;
  const isSending = progress !== undefined;
  const heading = useRef<HTMLParagraphElement>(null);
  // The button that led here is unmounted, and focus must not land on the send button.
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <DialogBody>
      <FormFailure failure={state.failure} />
      {notice}
      {sent.length === 0 && <DraftNotice draft={state.stored} />}
      {sent.length > 0 && !isSending && <SentList invitations={sent} />}
      <FieldRow>
        <Select<string>
          label="Default role"
          value={draft.defaults.role}
          onChange={(value) => state.setDefault('role', value)}
          options={INVITED_ROLE_OPTIONS}
          description="For people without a role in the list"
          isDisabled={isSending}
        />
        <Select
          label="Default department"
          value={draft.defaults.department}
          onChange={(value) => state.setDefault('department', value)}
          options={departmentOptions(departments)}
          description="For people without a department in the list"
          error={state.isMissingDepartments ? 'Failed to load departments' : undefined}
          isDisabled={isSending}
        />
      </FieldRow>
      <Bar>
        <p role="status" ref={heading} tabIndex={-1}>
          {summary(state)}
        </p>
        <Button size="sm" icon={<UserPlus />} onPress={onAdd} isDisabled={isSending}>
          Add people
        </Button>
      </Bar>
      {progress && <ProgressBar label="Invitations sent" value={progress.done} max={progress.total} />}
      <PreviewList checked={checked} departments={departments} actions={state.actions} isDisabled={isSending} />
    </DialogBody>
  );
}

function summary({ checked, readyCount, progress, sent }: BulkInviteState): string {
  if (progress) return `Sending ${formatNounCount(progress.total, 'invitation')}`;
  const problems = checked.length - readyCount;
  if (problems === 0) return `${countPeople(checked.length)} ready to be invited`;
  const remaining = sent.length > 0 ? `${countPeople(checked.length)} not invited yet` : countPeople(checked.length);
  return `${remaining}: ${readyCount} ready, ${problems} ${problems === 1 ? 'needs' : 'need'} attention`;
}

const formatNounCount = (count: number, noun: string) => `${count} ${count === 1 ? noun : `${noun}s`}`;
const countPeople = (count: number) => (count === 1 ? '1 person' : `${count} people`);

const Bar = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${theme.space[2]} ${theme.space[4]};
  p {
    flex: 1 1 160px;
    font-weight: 500;
    outline: none;
  }
`;
