import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { styled } from 'styled-components';
import { UnreadBadge } from '#entities/conversation/unread-badge.tsx';
import { useUnreadTotal } from '#entities/conversation/use-unread-total.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Logo } from '#ui/logo.tsx';
import { inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { AccountMenu } from './account-menu.tsx';
import { NAV_ENTRIES, type NavEntry, PARENT_PATHS, PATH_ALIASES } from './nav-entries.ts';
import { SearchButton } from './quick-access.tsx';

export function Navigation({ topAction }: { topAction?: ReactNode }) {
  const user = useCurrentUser();
  const isAdmin = user.role === 'admin';
  const { pathname } = useLocation();
  const unread = useUnreadTotal();
  const renderEntries = (entries: readonly NavEntry[]) =>
    entries.map((entry) => (
      <li key={entry.to}>
        <Entry to={entry.to} aria-current={getAriaCurrent(entry, pathname)}>
          <entry.icon aria-hidden="true" />
          <span>{entry.label}</span>
          {entry.hasBadge && <UnreadBadge count={unread} />}
        </Entry>
      </li>
    ));
  return (
    <>
      <Top>
        <Brand to="/" aria-label="Atrium, to the dashboard">
          <Logo />
        </Brand>
        {topAction}
      </Top>
      <SearchButton />
      <nav aria-label="Main">
        <List>{renderEntries(NAV_ENTRIES.filter((entry) => !entry.isAdminOnly))}</List>
        {isAdmin && (
          <>
            <Section id="nav-administration">Administration</Section>
            <List aria-labelledby="nav-administration">
              {renderEntries(NAV_ENTRIES.filter((entry) => entry.isAdminOnly))}
            </List>
          </>
        )}
      </nav>
      <Foot>
        <AccountMenu user={user} showsName />
        <Copyright>© 2024 Atrium</Copyright>
      </Foot>
    </>
  );
}

/** Returns `true` for the parent entry of a screen that has no entry itself. */
export function getAriaCurrent(entry: Pick<NavEntry, 'to'>, pathname: string): 'page' | true | undefined {
  if (isActive(entry, pathname)) return 'page';
  return PARENT_PATHS[pathname] === entry.to ? true : undefined;
}

export function isActive(entry: Pick<NavEntry, 'to'>, pathname: string): boolean {
  const path = PATH_ALIASES[pathname] ?? pathname;
  return entry.to === '/' ? path === '/' : path === entry.to || path.startsWith(`${entry.to}/`);
}

const Top = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  margin-bottom: ${theme.space[6]};
`;

const Brand = styled(Link)`
  padding: 0 ${theme.space[3]};
  &:hover {
    text-decoration: none;
  }
`;

const List = styled.ul`
  display: grid;
  gap: 2px;
`;

const Entry = styled(Link)`
  ${inlineStyles(3)}
  min-height: ${theme.control};
  padding: 0 ${theme.space[3]};
  border-radius: ${theme.radius.md};
  color: ${theme.color.text2};
  font-weight: 500;
  transition: background ${theme.motion.fast};
  &:hover {
    background: ${theme.color.hover};
    text-decoration: none;
  }
  &:focus-visible {
    border-radius: ${theme.radius.md};
  }
  &[aria-current] {
    background: ${theme.color.selected};
    color: ${theme.color.text};
    box-shadow: ${theme.shadow.low};
  }
  &[aria-current]:focus-visible {
    box-shadow: ${theme.shadow.focus};
  }
  &[aria-current] svg {
    color: ${theme.color.accent};
  }
  svg {
    width: 18px;
    height: 18px;
    stroke-width: 1.75;
  }
  > span:nth-of-type(1) {
    flex: 1;
  }
  ${theme.media.compact} {
    min-height: 44px;
  }
`;

const Section = styled.h2`
  padding: ${theme.space[5]} ${theme.space[3]} ${theme.space[2]};
  font: 500 ${theme.text.xs};
  letter-spacing: 0;
  color: ${theme.color.text3};
`;

const Foot = styled.div`
  margin-top: auto;
  padding-top: ${theme.space[4]};
`;

const Copyright = styled.p`
  padding: ${theme.space[2]} ${theme.space[3]} 0;
  font: ${theme.text.xs};
  color: ${theme.color.text3};
`;
