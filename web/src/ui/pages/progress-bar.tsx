import { styled } from 'styled-components';
import { Inline } from '../layout/primitives.ts';
import { captionStyles } from '../mixins.ts';
import { theme } from '../theme.ts';

type Props = { value: number; max?: number; label: string };

export function ProgressBar({ value, max = 100, label }: Props) {
  const limit = Number.isFinite(max) && max > 0 ? max : 100;
  const isValid = Number.isFinite(value) && value >= 0 && value <= limit;
  const percent = isValid ? Math.round((value / limit) * 100) : 0;
  return (
    <Inline $gap={2} $flex="shrink">
      <Track
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={isValid ? value : undefined}
      >
        <Fill $done={percent === 100} style={{ width: `${percent}%` }} />
      </Track>
      <Figure aria-hidden="true">{percent}%</Figure>
    </Inline>
  );
}

const Track = styled.div`
  flex: 1;
  height: 6px;
  border-radius: ${theme.radius.full};
  background: ${theme.color.sunken};
  overflow: hidden;
`;

const Fill = styled.div<{ $done: boolean }>`
  height: 100%;
  border-radius: inherit;
  background: ${({ $done }) => ($done ? theme.color.success : theme.color.accent)};
  transition: width ${theme.motion.slow} ${theme.motion.ease};
`;

const Figure = styled.span`
  width: 40px;
  white-space: nowrap;
  text-align: end;
  ${captionStyles}
  font-variant-numeric: tabular-nums;
`;
