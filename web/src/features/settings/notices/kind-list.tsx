import type { NoticeKind } from '@atrium/proto-events/notices/kinds';
import { styled } from 'styled-components';
import { theme } from '#ui/theme.ts';
import { SHOWN_KINDS } from './notice-kinds.ts';

/** Names kinds of notification as the settings do. */
export function KindList({ kinds }: { kinds: readonly NoticeKind[] }) {
  return (
    <List>
      {SHOWN_KINDS.filter(({ kind }) => kinds.includes(kind)).map(({ kind, label }) => (
        <li key={kind}>{label}</li>
      ))}
    </List>
  );
}

const List = styled.ul`
  margin: 0 0 ${theme.space[6]};
  padding-inline-start: ${theme.space[5]};
  list-style: disc;
  > li + li {
    margin-top: ${theme.space[1]};
  }
`;
