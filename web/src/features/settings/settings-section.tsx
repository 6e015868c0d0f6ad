import { type ReactNode, useEffect } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { styled } from 'styled-components';
import { canManageEmoji } from '#entities/user/roles.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { type SettingsTitle, settingsSectionId, settingsTitles } from '#lib/settings-titles.ts';
import { hiddenInPrint } from '#ui/mixins.ts';
import { CardSurface } from '#ui/pages/card.tsx';
import { theme } from '#ui/theme.ts';

type Props = { title: SettingsTitle; lead: string; children: ReactNode };

export function SettingsSection({ title, lead, children }: Props) {
  const id = settingsSectionId(title);
  const headingId = `${id}-heading`;
  return (
    <Section id={id} aria-labelledby={headingId}>
      <header>
        <h2 id={headingId}>{title}</h2>
        <p>{lead}</p>
      </header>
      <CardSurface>{children}</CardSurface>
    </Section>
  );
}

const Section = styled.section`
  display: grid;
  grid-template-columns: 180px minmax(0, 1fr);
  gap: ${theme.space[4]} ${theme.space[8]};
  scroll-margin-top: ${theme.space[8]};
  align-items: start;
  & + & {
    margin-top: ${theme.space[8]};
    padding-top: ${theme.space[8]};
    border-top: 1px solid ${theme.color.line};
  }
  > header > p {
    max-width: 36ch;
    margin-top: ${theme.space[1]};
    color: ${theme.color.text2};
  }
  @media (max-width: 1279px) {
    grid-template-columns: minmax(0, 1fr);
  }
  ${theme.media.compact} {
    scroll-margin-top: 120px;
    & + & {
      margin-top: ${theme.space[6]};
      padding-top: ${theme.space[6]};
    }
  }
`;

export function SettingsNav() {
  const titles = settingsTitles(canManageEmoji(useCurrentUser()));
  const { hash } = useLocation();
  useEffect(() => {
    // The browser looked for the URL's fragment before the screen was rendered.
    scrollTo(hash.slice(1));
  }, [hash]);
  return (
    <Nav aria-label="Settings sections">
      {titles.map((title) => (
        <Link
          key={title}
          to={`#${settingsSectionId(title)}`}
          replace
          onClick={() => scrollTo(settingsSectionId(title))}
        >
          {title}
        </Link>
      ))}
    </Nav>
  );
}

function scrollTo(id: string): void {
  document.getElementById(id)?.scrollIntoView();
}

const Nav = styled.nav`
  position: sticky;
  top: ${theme.space[8]};
  align-self: start;
  display: grid;
  gap: 2px;
  > a {
    display: flex;
    align-items: center;
    min-height: ${theme.control};
    padding: 0 ${theme.space[3]};
    border-radius: ${theme.radius.md};
    font-weight: 500;
    color: ${theme.color.text2};
    white-space: nowrap;
  }
  > a:hover {
    background: ${theme.color.hover};
    color: ${theme.color.text};
    text-decoration: none;
  }
  ${theme.media.compact} {
    top: 56px;
    z-index: ${theme.layer.bar};
    display: flex;
    margin: 0 calc(-1 * ${theme.space[4]}) ${theme.space[4]};
    padding: ${theme.space[1]} ${theme.space[2]};
    border-bottom: 1px solid ${theme.color.line};
    background: ${theme.color.ground};
    overflow-x: auto;
    scrollbar-width: none;
  }
  ${hiddenInPrint}
`;
