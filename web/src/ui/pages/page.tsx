import { type ReactNode, useEffect } from 'react';
import { styled } from 'styled-components';
import { theme } from '../theme.ts';
import { SCREEN_TITLE, setScreenTitle } from './document-title.ts';

type Props = { title: string; subtitle?: ReactNode; actions?: ReactNode; children: ReactNode };

export function Page({ title, subtitle, actions, children }: Props) {
  useEffect(() => {
    setScreenTitle(title);
  }, [title]);
  return (
    <Main>
      <Head>
        <div>
          <h1 id={SCREEN_TITLE} dir="auto">
            {title}
          </h1>
          {subtitle && <Lead>{subtitle}</Lead>}
        </div>
        {actions && <Actions>{actions}</Actions>}
      </Head>
      {children}
    </Main>
  );
}

const Main = styled.div`
  width: 100%;
  max-width: 1320px;
  margin: 0 auto;
  padding: ${theme.space[8]} ${theme.space[10]} ${theme.space[10]};
  ${theme.media.compact} {
    padding: ${theme.space[5]} ${theme.space[4]} ${theme.space[8]};
  }
  ${theme.media.small} {
    padding-top: ${theme.space[3]};
  }
`;

const Head = styled.header`
  display: flex;
  flex-wrap: wrap;
  align-items: flex-end;
  justify-content: space-between;
  gap: ${theme.space[3]} ${theme.space[4]};
  margin-bottom: ${theme.space[6]};
  > div:first-child {
    min-width: 0;
  }
  ${theme.media.compact} {
    align-items: center;
    margin-bottom: ${theme.space[4]};
  }
  ${theme.media.small} {
    gap: ${theme.space[2]};
    margin-bottom: ${theme.space[3]};
  }
`;

const Lead = styled.p`
  margin-top: ${theme.space[1]};
  color: ${theme.color.text2};
  ${theme.media.small} {
    margin-top: 0;
    font: ${theme.text.sm};
  }
`;

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: ${theme.space[2]};
  ${theme.media.small} {
    gap: ${theme.space[1]};
    a,
    button {
      padding-inline: 10px;
    }
  }
`;
