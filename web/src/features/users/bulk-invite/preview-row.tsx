import { CircleAlert, Pencil, Trash2 } from 'lucide-react';
import { styled } from 'styled-components';
import { roleLabel } from '#entities/user/person.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Box, Inline, Text } from '#ui/layout/primitives.ts';
import { captionStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import type { CheckedRow } from './check-rows.ts';

type Props = { checked: CheckedRow; isDisabled: boolean; onEdit: () => void; onRemove: () => void };

/** One person of the list with their problems. */
export function PreviewRow({ checked, isDisabled, onEdit, onRemove }: Props) {
  const { row, role, department, problems } = checked;
  const name = [row.firstName, row.lastName].filter(Boolean).join(' ');
  const called = row.email || name || 'this person';
  const faults = [...Object.values(problems), row.failure?.message].filter((fault) => fault !== undefined);
  return (
    <Line>
      <Box>
        <Text as="strong" $weight={500} $block dir="auto">
          {name || 'No name'}
        </Text>
        <Text $size="sm" $tone="text2" $block dir="auto">
          {row.email || 'No email'}
        </Text>
      </Box>
      <Place>
        {role ? roleLabel(role) : row.role}
        <span dir="auto">{department?.name ?? 'No department'}</span>
      </Place>
      <Inline $align="stretch">
        <IconButton label={`Edit ${called}`} onPress={onEdit} isDisabled={isDisabled}>
          <Pencil />
        </IconButton>
        <IconButton label={`Remove ${called}`} onPress={onRemove} isDisabled={isDisabled}>
          <Trash2 />
        </IconButton>
      </Inline>
      {faults.length > 0 && (
        <Faults>
          {faults.map((fault) => (
            <li key={fault}>
              <CircleAlert aria-hidden="true" />
              <span dir="auto">{fault}</span>
            </li>
          ))}
        </Faults>
      )}
      {row.isNameGuessed && <Hint>Name suggested from the email address</Hint>}
    </Line>
  );
}

const Line = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 3fr) minmax(0, 2fr) auto;
  align-items: center;
  gap: ${theme.space[1]} ${theme.space[4]};
  padding: ${theme.space[2]} ${theme.space[2]} ${theme.space[2]} ${theme.space[4]};
  overflow-wrap: anywhere;
  ${theme.media.small} {
    grid-template-columns: minmax(0, 1fr) auto;
    gap: ${theme.space[1]} ${theme.space[2]};
    padding: ${theme.space[2]} 0 ${theme.space[2]} ${theme.space[3]};
  }
`;

const Place = styled.div`
  display: flex;
  flex-direction: column;
  ${captionStyles}
  ${theme.media.small} {
    grid-row: 2;
    grid-column: 1 / -1;
    flex-direction: row;
    flex-wrap: wrap;
    > span::before {
      content: '·';
      margin: 0 6px;
    }
  }
`;

const Faults = styled.ul`
  grid-column: 1 / -1;
  font: ${theme.text.sm};
  color: ${theme.color.danger};
  li {
    display: flex;
    gap: ${theme.space[2]};
  }
  svg {
    flex: none;
    width: 14px;
    height: 14px;
    margin-top: 2px;
  }
`;

const Hint = styled.small`
  grid-column: 1 / -1;
  font: ${theme.text.sm};
  color: ${theme.color.text3};
`;
