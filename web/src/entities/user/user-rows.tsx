import { isolate } from '@atrium/proto-events/text/isolate';
import { UserMinus } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { styled } from 'styled-components';
import { IconButton } from '#ui/icon-button.tsx';
import { TwoLineText } from '#ui/layout/primitives.ts';
import { dividedStyles, inlineStyles } from '#ui/mixins.ts';
import { Tooltip } from '#ui/overlays/tooltip.tsx';
import { theme } from '#ui/theme.ts';
import { Avatar, type Presence } from './avatar.tsx';
import { displayName, type NamedUser } from './user-labels.ts';

type ListProps = { label: string; children: ReactNode };

export function UserRows({ label, children }: ListProps) {
  return (
    <List aria-label={label} tabIndex={-1}>
      {children}
    </List>
  );
}

export type RowProps = {
  user: NamedUser;
  presence?: Presence | undefined;
  notes: readonly (string | false | null | undefined)[];
  onRemove?: (() => void) | undefined;
  isRemoving?: boolean;
  ref?: Ref<HTMLLIElement>;
};

export function UserRow({ user, presence, notes, onRemove, isRemoving = false, ref }: RowProps) {
  const name = displayName(user);
  return (
    <Row ref={ref}>
      <Avatar user={user} presence={presence} />
      <TwoLineText as="div" $flex="fill">
        <strong dir="auto">{name}</strong>
        <small>{notes.flatMap((note) => (note ? [isolate(note)] : [])).join(' · ')}</small>
      </TwoLineText>
      {onRemove && (
        <Tooltip text={`Remove ${name}`}>
          <IconButton
            label={`Remove ${name}`}
            tone="danger"
            isDisabled={isRemoving}
            onPress={({ target }) => {
              // The focused button is removed with its row, so focus moves to the list.
              target.closest('ul')?.focus();
              onRemove();
            }}
          >
            <UserMinus />
          </IconButton>
        </Tooltip>
      )}
    </Row>
  );
}

const List = styled.ul`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  outline: none;
`;

const Row = styled.li`
  ${inlineStyles(3)}
  min-height: 52px;
  padding: ${theme.space[1]} 0;
  ${dividedStyles}
  /* Notes may be longer than a phone is wide. */
  && small {
    white-space: normal;
  }
`;
