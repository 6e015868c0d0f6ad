import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { IconTile } from '#ui/layout/icon-tile.ts';
import { captionStyles, hiddenInPrint } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

type Props = { icon: ReactNode; title: string; hint: string; to?: string; action?: string };

/** An empty section next to others, smaller than the empty state of a screen. */
export function QuietState({ icon, title, hint, to, action }: Props) {
  return (
    <Root>
      <IconTile $size={32} aria-hidden="true">
        {icon}
      </IconTile>
      <div>
        <h3>{title}</h3>
        <p>
          {hint} {to !== undefined && <Action to={to}>{action}</Action>}
        </p>
      </div>
    </Root>
  );
}

const Root = styled.div`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: ${theme.space[3]};
  padding: ${theme.space[4]} ${theme.gutter.card};
  h3 {
    font: 500 ${theme.text.md};
  }
  p {
    ${captionStyles}
  }
`;

/* As tall as a target must be (24px), without a taller line. */
const Action = styled(Link)`
  display: inline-block;
  padding-block: 3px;
  margin-block: -3px;
  white-space: nowrap;
  ${hiddenInPrint}
`;
