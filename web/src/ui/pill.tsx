import type { ReactNode } from 'react';
import { css, styled } from 'styled-components';
import { iconSize } from './mixins.ts';
import { theme } from './theme.ts';

export type PillTone = 'accent' | 'success' | 'warning' | 'danger' | 'info' | 'neutral';

type Props = { tone?: PillTone; children: ReactNode; hasDot?: boolean; icon?: ReactNode; title?: string };

/** Shows a short status text; the color only repeats it. */
export function Pill({ tone = 'neutral', children, hasDot = true, icon, title }: Props) {
  return (
    <Root $tone={tone} title={title}>
      {icon ?? (hasDot && <Dot aria-hidden="true" />)}
      {children}
    </Root>
  );
}

const tones = {
  accent: css`
    color: ${theme.color.accent};
    background: ${theme.color.accentSoft};
  `,
  success: css`
    color: ${theme.color.success};
    background: ${theme.color.successSoft};
  `,
  warning: css`
    color: ${theme.color.warning};
    background: ${theme.color.warningSoft};
  `,
  danger: css`
    color: ${theme.color.danger};
    background: ${theme.color.dangerSoft};
  `,
  info: css`
    color: ${theme.color.info};
    background: ${theme.color.infoSoft};
  `,
  neutral: css`
    color: ${theme.color.text2};
    background: ${theme.color.sunken};
  `,
};

const Root = styled.span<{ $tone: PillTone }>`
  display: inline-flex;
  align-items: center;
  gap: 6px;
  height: 22px;
  padding: 0 8px;
  border-radius: ${theme.radius.full};
  font: 500 ${theme.text.xs};
  white-space: nowrap;
  ${({ $tone }) => tones[$tone]}
  ${iconSize(12)}
`;

const Dot = styled.span`
  width: 6px;
  height: 6px;
  border-radius: ${theme.radius.full};
  background: currentColor;
`;
