import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { theme } from '../theme.ts';

export type EmptyStateProps = {
  icon: ReactNode;
  title: string;
  /** What will be here. */
  hint?: ReactNode;
  /** The one action that adds something. */
  action?: ReactNode;
};

export function EmptyState({ icon, title, hint, action }: EmptyStateProps) {
  return (
    <MessageBlock>
      <MessageIcon aria-hidden="true">{icon}</MessageIcon>
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
  > div {
    margin-top: ${theme.space[4]};
  }
`;

export const MessageIcon = styled.span`
  display: grid;
  place-items: center;
  width: 44px;
  height: 44px;
  margin-bottom: ${theme.space[2]};
  border-radius: ${theme.radius.lg};
  background: ${theme.color.sunken};
  color: ${theme.color.text2};
  svg {
    width: 22px;
    height: 22px;
    stroke-width: 1.75;
  }
`;
