import { type BaseSyntheticEvent, useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import type { FieldDifference } from '#lib/forms/field-merge.ts';
import type { AnnouncedFailure } from '#lib/forms/use-entry-form.ts';
import type { StoredDraft } from '#lib/forms/use-stored-draft.ts';
import { Inline } from '../layout/primitives.ts';
import { FormFailure, Notice } from '../notice.tsx';
import { theme } from '../theme.ts';
import { SelfRemovingButton } from './self-removing-button.tsx';

export type ResourceForm = {
  form: { failure: AnnouncedFailure | undefined; hasUnsavedChanges: boolean; formState: { isSubmitting: boolean } };
  draft: StoredDraft;
  conflict?: Conflict | undefined;
  submit: (event: BaseSyntheticEvent) => Promise<void>;
};

type Props = {
  form: ResourceForm;
  resourceLabel?: string | undefined;
};

export function FormNotices({ form: { form, draft, conflict }, resourceLabel }: Props) {
  if (conflict) return <ConflictNotice resourceLabel={resourceLabel} {...conflict} />;
  return (
    <>
      <FormFailure failure={form.failure} />
      <DraftNotice draft={draft} />
    </>
  );
}

export function DraftNotice({ draft }: { draft: StoredDraft }) {
  if (!draft.isRestored) return null;
  return (
    <Notice>
      <Inline $gap={2} $justify="space-between" $wraps>
        <span>Your unsaved changes have been restored.</span>
        <SelfRemovingButton size="sm" onPress={draft.discard}>
          Discard them
        </SelfRemovingButton>
      </Inline>
    </Notice>
  );
}

export type Conflict = {
  fields: readonly FieldDifference[];
  onKeepMine: () => void;
  onTakeTheirs: () => void;
};

type ConflictNoticeProps = Conflict & { resourceLabel?: string | undefined };

export function ConflictNotice({ fields, resourceLabel = 'this', onKeepMine, onTakeTheirs }: ConflictNoticeProps) {
  const box = useRef<HTMLDivElement>(null);
  // Scrolls to the notice, because the submit button may be far below it.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <Box role="alert" ref={box}>
      <p>
        <strong>Someone else changed {resourceLabel} in the meantime.</strong> Your changes are kept.
      </p>
      {fields.length > 0 && (
        <Values>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Yours</th>
              <th scope="col">Theirs</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ label, yours, theirs }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>
                  <bdi>{yours || '–'}</bdi>
                </td>
                <td>
                  <bdi>{theirs || '–'}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </Values>
      )}
      <Inline $gap={2} $wraps>
        <SelfRemovingButton size="sm" onPress={onKeepMine}>
          Keep mine
        </SelfRemovingButton>
        <SelfRemovingButton size="sm" onPress={onTakeTheirs}>
          Take theirs
        </SelfRemovingButton>
      </Inline>
    </Box>
  );
}

const Box = styled.div`
  display: grid;
  gap: ${theme.space[3]};
  padding: ${theme.space[3]} ${theme.space[4]};
  border-radius: ${theme.radius.md};
  background: ${theme.color.warningSoft};
  color: ${theme.color.text};
`;

const Values = styled.table`
  width: 100%;
  table-layout: fixed;
  border-collapse: collapse;
  th,
  td {
    padding-block: ${theme.space[1]};
    padding-inline: 0 ${theme.space[3]};
    text-align: start;
    vertical-align: top;
    overflow-wrap: anywhere;
    white-space: pre-line;
  }
  th {
    font: 500 ${theme.text.sm};
    color: ${theme.color.text2};
  }
`;
