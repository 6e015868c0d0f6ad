import { styled } from 'styled-components';
import { theme } from '#ui/theme.ts';
import { PendingItem } from './message-item.tsx';
import type { MessageRow } from './message-rows.ts';

type Props = { label: string; rows: readonly MessageRow[] };

/** Pending messages while the log cannot be loaded, with their actions. */
export function PendingList({ label, rows }: Props) {
  return (
    <Root role="region" aria-label={label}>
      {rows.map((row) =>
        row.kind === 'pending' ? <PendingItem key={row.key} pending={row.pending} isFollowUp={row.isFollowUp} /> : null,
      )}
    </Root>
  );
}

const Root = styled.div`
  width: 100%;
  max-width: 828px;
  margin: auto auto 0;
  padding: 0 ${theme.space[6]} ${theme.space[3]};
  ${theme.media.small} {
    padding: 0 ${theme.space[3]} ${theme.space[3]};
  }
`;
