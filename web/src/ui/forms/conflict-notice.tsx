import { useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import type { FieldDifference } from '#lib/forms/field-texts.ts';
import { Inline } from '../layout/primitives.ts';
import { theme } from '../theme.ts';
import { UserText } from '../user-text.tsx';
import { SelfRemovingButton } from './self-removing-button.tsx';

export type Conflict = {
  /** The fields that differ. */
  fields: readonly FieldDifference[];
  onKeepMine: () => void;
  onTakeTheirs: () => void;
};

/** `what` is edited, as in "this project". */
type Props = Conflict & { what?: string | undefined };

/** Another user saved first: both values of each differing field, and the choice between them. */
export function ConflictNotice({ fields, what = 'this', onKeepMine, onTakeTheirs }: Props) {
  const box = useRef<HTMLDivElement>(null);
  // The submit button may be far below.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <Box role="alert" ref={box}>
      <p>
        <strong>Someone else changed {what} in the meantime.</strong> Your changes are kept.
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
                  <UserText>{yours || '–'}</UserText>
                </td>
                <td>
                  <UserText>{theirs || '–'}</UserText>
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
