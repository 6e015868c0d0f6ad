import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { hiddenInPrint } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { SETTINGS_TITLES, sectionId } from './settings-section.tsx';

/** Links to the sections of the screen, which stay visible while it scrolls. */
export function SettingsNav() {
  useEffect(() => {
    // The browser looked for the URL's fragment before the screen was rendered.
    scrollTo(window.location.hash.slice(1));
  }, []);
  return (
    <Nav aria-label="Settings sections">
      {SETTINGS_TITLES.map((title) => (
        <Link key={title} to={`#${sectionId(title)}`} replace onClick={() => scrollTo(sectionId(title))}>
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
