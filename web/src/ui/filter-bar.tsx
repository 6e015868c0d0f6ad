import { SlidersHorizontal, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { css, styled } from 'styled-components';
import { Button } from './button.tsx';
import { collapsibleStyles, MobileOnly, useCollapsible } from './collapsible.tsx';
import { ellipsis, hiddenInPrint, inlineStyles } from './mixins.ts';
import { theme } from './theme.ts';

type Props = {
  search: ReactNode;
  children: ReactNode;
  activeCount: number;
  after?: ReactNode;
};

export function FilterBar({ search, children, activeCount, after }: Props) {
  const { button, content } = useCollapsible();
  return (
    <Bar role="search">
      {search}
      <MobileOnly>
        <Button {...button} icon={<SlidersHorizontal />}>
          {activeCount > 0 ? `Filters (${activeCount})` : 'Filters'}
        </Button>
      </MobileOnly>
      <Choices {...content}>{children}</Choices>
      {after}
    </Bar>
  );
}

export const filterStyles = css`
  input::placeholder {
    color: ${theme.color.text};
  }
`;

const Bar = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: flex-start;
  gap: ${theme.space[2]};
  ${theme.media.small} {
    > :first-child {
      flex: 1 1 140px;
    }
  }
  ${hiddenInPrint}
`;

const Choices = styled.div`
  display: grid;
  grid-auto-flow: column;
  grid-auto-columns: minmax(0, 168px);
  gap: ${theme.space[2]};
  min-width: 0;
  ${filterStyles}
  ${theme.media.compact} {
    flex: 1 1 100%;
    grid-auto-flow: row;
    grid-template-columns: repeat(auto-fit, minmax(140px, 1fr));
  }
  ${collapsibleStyles}
`;

type ActiveFilterProps = { title: string; children: ReactNode; onClear: () => void };

export function ActiveFilter({ title, children, onClear }: ActiveFilterProps) {
  return (
    <ActiveBar role="status">
      <span title={title}>{children}</span>
      <Button size="sm" variant="ghost" icon={<X />} onPress={onClear}>
        Show all
      </Button>
    </ActiveBar>
  );
}

const ActiveBar = styled.div`
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
