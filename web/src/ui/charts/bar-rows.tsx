import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { formatNumber } from '#lib/number-formats.ts';
import { bareButton, focusRing } from '../mixins.ts';
import { theme } from '../theme.ts';
import { VisuallyHidden } from '../visually-hidden.tsx';

export type BarRow = {
  key: string;
  name: string;
  icon: ReactNode;
  value: number;
  /** Follows the value for screen readers, such as 'of 14 tasks'. */
  unit: string;
  onOpen: () => void;
};

/** Counts of categories as bars from zero, which add up to a whole. Each opens the items it counts. */
export function BarRows({ label, rows }: { label: string; rows: readonly BarRow[] }) {
  const total = rows.reduce((sum, { value }) => sum + value, 0);
  const max = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <ul aria-label={label}>
      {rows.map(({ key, name, icon, value, unit, onOpen }) => (
        <li key={key}>
          <Row onPress={onOpen}>
            <Name>
              {icon}
              {name}
            </Name>
            <Track aria-hidden="true">
              <rect width={`${(value / max) * 100}%`} height="100%" rx="3" />
            </Track>
            <strong>
              {formatNumber(value)}
              <VisuallyHidden> {unit}</VisuallyHidden>
            </strong>
            <small>{total === 0 ? '' : `${Math.round((value / total) * 100)}%`}</small>
          </Row>
        </li>
      ))}
    </ul>
  );
}

const Row = styled(Button)`
  display: grid;
  grid-template-columns: 108px minmax(0, 1fr) minmax(28px, auto) 40px;
  align-items: center;
  gap: ${theme.space[3]};
  width: calc(100% + 16px);
  min-height: 40px;
  margin: 0 -8px;
  padding: 0 ${theme.space[2]};
  ${bareButton}
  border-radius: ${theme.radius.md};
  color: ${theme.color.text};
  font: ${theme.text.md};
  font-variant-numeric: tabular-nums;
  text-align: end;
  &[data-hovered] {
    background: ${theme.color.hover};
  }
  small {
    font: ${theme.text.sm};
    color: ${theme.color.text2};
  }
  ${focusRing}
  ${theme.media.small} {
    min-height: 44px;
  }
`;

const Name = styled.span`
  display: inline-flex;
  align-items: center;
  gap: ${theme.space[2]};
  text-align: start;
`;

const Track = styled.svg`
  width: 100%;
  height: 12px;
  rect {
    fill: ${theme.color.accent};
  }
  &:dir(rtl) {
    transform: scaleX(-1);
  }
`;
