import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { Button } from '../button.tsx';
import { ellipsis, inlineStyles } from '../mixins.ts';
import { theme } from '../theme.ts';

type Props = { title: string; children: ReactNode; onClear: () => void };

/** Names the filter of a list, and clears it. */
export function ActiveFilter({ title, children, onClear }: Props) {
  return (
    <Bar role="status">
      <span title={title}>{children}</span>
      <Button size="sm" variant="ghost" icon={<X />} onPress={onClear}>
        Show all
      </Button>
    </Bar>
  );
}

const Bar = styled.div`
  ${inlineStyles(2)}
  margin-bottom: ${theme.space[3]};
  color: ${theme.color.text2};
  > span {
    min-width: 0;
    ${ellipsis}
  }
  strong {
    font-weight: 500;
    color: ${theme.color.text};
  }
`;
