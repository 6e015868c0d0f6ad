import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { Logo } from '#ui/logo.tsx';
import { CardSurface } from '#ui/pages/card.tsx';
import { SCREEN_TITLE } from '#ui/pages/document-title.ts';
import { theme } from '#ui/theme.ts';

type Props = { title: string; lead?: ReactNode; children?: ReactNode };

export function AuthLayout({ title, lead, children }: Props) {
  return (
    <Ground tabIndex={-1} aria-labelledby={SCREEN_TITLE}>
      <Brand>
        <Logo size={34} />
        <span>Projects, meetings, chat, and documents in one place</span>
      </Brand>
      <Panel>
        <header>
          <h1 id={SCREEN_TITLE} dir="auto">
            {title}
          </h1>
          {lead && <p>{lead}</p>}
        </header>
        {children}
      </Panel>
      <Foot>© 2024 Atrium</Foot>
    </Ground>
  );
}

const Ground = styled.main`
  min-height: 100dvh;
  display: flex;
  flex-direction: column;
  align-items: center;
  outline: none;
  padding: max(${theme.space[8]}, 10vh) ${theme.space[4]} ${theme.space[6]};
`;

const Brand = styled.div`
  display: flex;
  flex-direction: column;
  align-items: center;
  gap: ${theme.space[2]};
  margin-bottom: ${theme.space[8]};
  text-align: center;
  > span:first-child {
    font-size: 24px;
    line-height: 32px;
    letter-spacing: -0.015em;
  }
  > span:last-child {
    text-wrap: balance;
    color: ${theme.color.text2};
  }
`;

const Panel = styled(CardSurface)`
  width: 100%;
  max-width: 420px;
  padding: ${theme.space[8]};
  border-radius: 16px;
  box-shadow: ${theme.shadow.float};
  > header {
    margin-bottom: ${theme.space[6]};
    h1 {
      font: 600 ${theme.text.xl};
    }
    p {
      margin-top: ${theme.space[1]};
      color: ${theme.color.text2};
    }
  }
  ${theme.media.small} {
    padding: ${theme.space[6]} ${theme.space[5]};
  }
`;

export const AuthFooter = styled.p`
  margin-top: ${theme.space[5]};
  text-align: center;
  font-weight: 500;
`;

const Foot = styled.p`
  margin-top: auto;
  padding-top: ${theme.space[8]};
  font: ${theme.text.xs};
  color: ${theme.color.text3};
`;
