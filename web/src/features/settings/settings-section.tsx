import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { CardSurface } from '#ui/pages/card.tsx';
import { theme } from '#ui/theme.ts';

/** Every section, in the order of the screen. */
export const SETTINGS_TITLES = [
  'Profile',
  'Meetings',
  'Calendar',
  'Appearance',
  'Dates and times',
  'Keyboard',
  'Password',
  'Active sessions',
] as const;

type Title = (typeof SETTINGS_TITLES)[number];
type Props = { title: Title; lead: string; children: ReactNode };

/** The URL fragment of a section. */
export const sectionId = (title: Title) => title.toLowerCase().replaceAll(' ', '-');

/** A settings panel with its title and description at the side, or above on small screens. */
export function SettingsSection({ title, lead, children }: Props) {
  const id = sectionId(title);
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
