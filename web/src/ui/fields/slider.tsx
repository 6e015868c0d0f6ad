import { Label } from 'react-aria-components/Label';
import { Slider as AriaSlider, SliderOutput, SliderThumb, SliderTrack } from 'react-aria-components/Slider';
import { Text } from 'react-aria-components/Text';
import { styled } from 'styled-components';
import { Inline } from '../layout/primitives.ts';
import { focusRing } from '../mixins.ts';
import { theme } from '../theme.ts';
import { labelStyles } from './field.tsx';

type Props = {
  label: string;
  value: number;
  onChange: (value: number) => void;
  min?: number;
  isDisabled?: boolean;
  description?: string | undefined;
  error?: string | undefined;
};

const MAX = 100;

export function Slider(props: Props) {
  const { label, value, onChange, min = 0, isDisabled = false, description, error } = props;
  const hint = error ?? description;
  return (
    <Root
      value={value}
      onChange={(next) => onChange(Number(next))}
      minValue={min}
      maxValue={MAX}
      step={5}
      isDisabled={isDisabled}
    >
      <Inline $justify="space-between">
        <Name>{label}</Name>
        <Output>{() => `${value}%`}</Output>
      </Inline>
      <Lane $disabled={isDisabled}>
        <Rail>
          <Filled style={{ width: `${value}%` }} />
        </Rail>
        <Track style={{ left: `${min}%` }}>
          <Thumb />
        </Track>
      </Lane>
      {hint && <Hint $isError={Boolean(error)}>{hint}</Hint>}
    </Root>
  );
}

const Root = styled(AriaSlider)`
  display: flex;
  flex-direction: column;
  gap: 6px;
  &[data-disabled] {
    color: ${theme.color.text3};
  }
`;

const Name = styled(Label)<{ $hidden?: boolean }>`
  ${labelStyles}
`;

const Output = styled(SliderOutput)`
  font: 500 ${theme.text.sm};
  font-variant-numeric: tabular-nums;
`;

/* The lane always spans 0 to 100; the part below `min` is filled and cannot be reached. */
const Lane = styled.div<{ $disabled: boolean }>`
  position: relative;
  height: 32px;
  margin: 0 10px;
  opacity: ${({ $disabled }) => ($disabled ? 0.6 : 1)};
`;

const Track = styled(SliderTrack)`
  position: absolute;
  inset: 0 0 0 auto;
  cursor: pointer;
  &[data-disabled] {
    cursor: not-allowed;
  }
`;

const Rail = styled.div`
  position: absolute;
  inset: 13px -10px;
  border-radius: ${theme.radius.full};
  background: ${theme.color.sunken};
  box-shadow: inset 0 0 0 1px ${theme.color.line};
  overflow: hidden;
`;

const Filled = styled.div`
  height: 100%;
  background: ${theme.color.accent};
`;

const Thumb = styled(SliderThumb)`
  top: 16px;
  width: 20px;
  height: 20px;
  border: 2px solid ${theme.color.accent};
  border-radius: ${theme.radius.full};
  background: ${theme.color.surface};
  box-shadow: ${theme.shadow.low};
  ${focusRing}
  &[data-disabled] {
    border-color: ${theme.color.lineStrong};
  }
`;

const Hint = styled(Text)<{ $isError: boolean }>`
  font: ${theme.text.sm};
  color: ${({ $isError }) => ($isError ? theme.color.danger : theme.color.text2)};
`;
