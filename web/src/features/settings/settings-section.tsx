import { type ReactNode, useId } from 'react';
import { styled } from 'styled-components';
import { CardSurface } from '../../ui/pages/card.tsx';
import { theme } from '../../ui/theme.ts';

type Props = { title: string; lead: string; children: ReactNode };

/** What it is about at the side, or above where there is no room, and the panel with it. */
export function SettingsSection({ title, lead, children }: Props) {
  const id = useId();
  return (
    <Section aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <p>{lead}</p>
      </header>
      <CardSurface>{children}</CardSurface>
    </Section>
  );
}

const Section = styled.section`
  display: grid;
  grid-template-columns: minmax(200px, 1fr) minmax(0, 720px) minmax(0, 0.4fr);
  gap: ${theme.space[4]} ${theme.space[10]};
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
  ${theme.media.compact} {
    grid-template-columns: minmax(0, 1fr);
    & + & {
      margin-top: ${theme.space[6]};
      padding-top: ${theme.space[6]};
    }
  }
`;
