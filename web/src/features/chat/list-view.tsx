import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { MobileOnly } from '#ui/collapsible.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { Pane } from './log-layout.ts';
import { PaneHeader } from './pane-header.ts';

type Props = { title: string; actions?: ReactNode; onBack: () => void; children: ReactNode };

/** A list that is shown instead of a conversation. */
export function ListView({ title, actions, onBack, children }: Props) {
  return (
    <Pane aria-label={title}>
      <Head>
        <MobileOnly>
          <IconButton label="All conversations" onPress={onBack}>
            <ArrowLeft />
          </IconButton>
        </MobileOnly>
        <h2>{title}</h2>
        {actions}
      </Head>
      <Scroll>{children}</Scroll>
    </Pane>
  );
}

const Head = styled(PaneHeader)`
  ${inlineStyles(3)}
  padding: 0 ${theme.space[6]};
  h2 {
    flex: 1;
  }
  ${theme.media.small} {
    padding: 0 ${theme.space[3]} 0 ${theme.space[2]};
  }
`;

const Scroll = styled.div`
  flex: 1;
  min-height: 0;
  padding: ${theme.space[4]} ${theme.space[6]};
  overflow-y: auto;
  overscroll-behavior: contain;
  ${theme.media.small} {
    padding: ${theme.space[3]};
  }
`;

export const ListItems = styled.ul`
  display: grid;
  gap: ${theme.space[3]};
  max-width: 780px;
  margin: 0 auto;
`;
