import { Ellipsis } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Link, useLocation } from 'react-router-dom';
import { css, styled } from 'styled-components';
import { UnreadBadge } from '#entities/conversation/unread-badge.tsx';
import { useUnreadTotal } from '#entities/conversation/use-unread-total.ts';
import { bareButton, hiddenInPrint } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { NAV_ENTRIES } from './nav-entries.ts';
import { getAriaCurrent } from './navigation.tsx';

const TABS: Readonly<Record<string, string>> = {
  '/my-work': 'My Work',
  '/': 'Dashboard',
  '/progress': 'Progress',
  '/meetings': 'Meetings',
  '/chat': 'Chat',
};

type Props = { isMoreOpen: boolean; onMore: () => void };

export function TabBar({ isMoreOpen, onMore }: Props) {
  const { pathname } = useLocation();
  const unread = useUnreadTotal();
  const entries = NAV_ENTRIES.filter(({ to }) => to in TABS);
  const isElsewhere = !entries.some((entry) => getAriaCurrent(entry, pathname));
  return (
    <Bar aria-label="Main">
      {entries.map((entry) => (
        <Tab key={entry.to} to={entry.to} aria-current={getAriaCurrent(entry, pathname)}>
          <entry.icon aria-hidden="true" />
          <span>{TABS[entry.to]}</span>
          {entry.hasBadge && <UnreadBadge count={unread} />}
        </Tab>
      ))}
      <More
        aria-haspopup="dialog"
        aria-expanded={isMoreOpen}
        onPress={onMore}
        data-elsewhere={isElsewhere || undefined}
      >
        <Ellipsis aria-hidden="true" />
        <span>More</span>
      </More>
    </Bar>
  );
}

/** The bar is hidden while the user types, to leave room above the on-screen keyboard. */
const TYPING_SELECTOR =
  "body:has(main :is(textarea, [contenteditable='true'], input:not([type='checkbox'], [type='radio'], [type='range'], [type='file'])):focus)";

const Bar = styled.nav`
  display: none;
  ${theme.media.small} {
    position: sticky;
    bottom: 0;
    z-index: ${theme.layer.bar};
    display: grid;
    grid-template-columns: repeat(6, minmax(0, 1fr));
    padding: 0 ${theme.space[1]} env(safe-area-inset-bottom);
    border-top: 1px solid ${theme.color.line};
    background: ${theme.color.surface};
  }
  /* On the narrowest phones, labels need different widths, or they touch. */
  @media (max-width: 359px) {
    grid-template-columns: repeat(6, auto);
    padding-inline: 0;
  }
  @media (max-width: 639px) and (pointer: coarse) {
    ${TYPING_SELECTOR} & {
      display: none;
    }
  }
  ${hiddenInPrint}
`;

const tabStyles = css`
  position: relative;
  display: flex;
  flex-direction: column;
  align-items: center;
  justify-content: center;
  gap: 2px;
  min-width: 44px;
  min-height: 56px;
  padding: 0;
  ${bareButton}
  color: ${theme.color.text2};
  font: 500 11px / 14px var(--font);
  @media (max-width: 359px) {
    font-size: 10px;
  }
  -webkit-tap-highlight-color: transparent;
  svg {
    width: 22px;
    height: 22px;
    stroke-width: 1.75;
  }
  &[aria-current],
  &[data-elsewhere] {
    color: ${theme.color.text};
    font-weight: 600;
  }
  &[aria-current] svg,
  &[data-elsewhere] svg {
    color: ${theme.color.accent};
  }
  &:focus-visible {
    outline: none;
    box-shadow: ${theme.shadow.focus};
    border-radius: ${theme.radius.md};
  }
`;

const Tab = styled(Link)`
  ${tabStyles}
  &:hover {
    text-decoration: none;
  }
  > span + span {
    position: absolute;
    top: 4px;
    inset-inline-start: calc(50% + 4px);
    min-width: 18px;
    height: 18px;
    padding: 0 5px;
    line-height: 18px;
  }
`;

const More = styled(Button)`
  ${tabStyles}
`;
