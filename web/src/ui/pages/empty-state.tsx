import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { IconTile } from '../layout/icon-tile.ts';
import { theme } from '../theme.ts';

export type EmptyStateProps = {
  icon: ReactNode;
  title: string;
  /** Explains what will be shown here. */
  hint?: ReactNode;
  /** The action that adds the first item. */
  action?: ReactNode;
};

export function EmptyState({ icon, title, hint, action }: EmptyStateProps) {
  return (
    <MessageBlock>
      <IconTile $size={44} aria-hidden="true">
        {icon}
      </IconTile>
      <h3>{title}</h3>
      {hint && <p>{hint}</p>}
      {action && <div>{action}</div>}
    </MessageBlock>
  );
}

export const MessageBlock = styled.div`
  display: flex;
  flex-direction: column;
  align-items: center;
  gap: ${theme.space[1]};
  padding: ${theme.space[10]} ${theme.space[6]};
  text-align: center;
  p {
    max-width: 44ch;
    color: ${theme.color.text2};
    text-wrap: balance;
  }
  > span:first-child {
    margin-bottom: ${theme.space[2]};
  }
  > div {
    margin-top: ${theme.space[4]};
  }
`;
