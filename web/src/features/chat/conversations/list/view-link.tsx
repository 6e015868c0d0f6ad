import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { OPENED_HERE } from '#lib/hooks/use-overlay-history.ts';
import { iconSize } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { listEntryStyles } from './list-entry.ts';

type Props = {
  to: string;
  icon: ReactNode;
  isOpen: boolean;
  isFromList: boolean;
  isUnread?: boolean;
  /** The name of the view, and a count. */
  children: ReactNode;
};

/** Leads from the list of conversations to a view next to it. */
export function ViewLink({ to, icon, isOpen, isFromList, isUnread = false, children }: Props) {
  return (
    <Entry
      to={to}
      state={isFromList ? OPENED_HERE : undefined}
      aria-current={isOpen ? 'true' : undefined}
      $isUnread={isUnread}
    >
      {icon}
      {children}
    </Entry>
  );
}

const Entry = styled(Link)<{ $isUnread: boolean }>`
  ${listEntryStyles}
  min-height: 40px;
  margin: 0 ${theme.space[2]} 2px;
  padding: 0 ${theme.space[3]};
  font-weight: ${({ $isUnread }) => ($isUnread ? 600 : 500)};
  ${iconSize(18)}
  > svg {
    justify-self: center;
    color: ${theme.color.text2};
  }
  ${theme.media.small} {
    min-height: 48px;
  }
`;
