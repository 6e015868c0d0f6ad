import { useLayoutEffect, useRef } from 'react';
import { Slider, SliderThumb, SliderTrack } from 'react-aria-components/Slider';
import { styled } from 'styled-components';
import { spokenDuration } from '#entities/message/voice-note.ts';
import { focusRing } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

type Props = {
  time: number;
  /** In seconds; undefined until it is known. */
  duration: number | undefined;
  onSeek: (time: number) => void;
};

/** Arrow keys move by a second, Page Up and Page Down by a tenth. */
export function SeekBar({ time, duration = 0, onSeek }: Props) {
  const end = Math.max(duration, time, 1);
  const input = useRef<HTMLInputElement>(null);
  const valueText = `${spokenDuration(time)} of ${spokenDuration(duration)}`;
  // React Aria sets the number, which means nothing without its unit.
  useLayoutEffect(() => {
    input.current?.setAttribute('aria-valuetext', valueText);
  });
  return (
    <Slider
      aria-label="Position"
      value={time}
      onChange={(next) => onSeek(Number(next))}
      minValue={0}
      maxValue={end}
      step={0.1}
      isDisabled={duration === 0}
    >
      <Lane>
        <Rail>
          <span style={{ width: `${(time / end) * 100}%` }} />
        </Rail>
        <Track>
          <Thumb inputRef={input} />
        </Track>
      </Lane>
    </Slider>
  );
}

const Lane = styled.div`
  position: relative;
  height: 16px;
  margin: 0 6px;
`;

const Rail = styled.div`
  position: absolute;
  inset: 6px -6px;
  border-radius: ${theme.radius.full};
  background: ${theme.color.sunken};
  box-shadow: inset 0 0 0 1px ${theme.color.line};
  overflow: hidden;
  > span {
    display: block;
    height: 100%;
    background: ${theme.color.accent};
  }
`;

const Track = styled(SliderTrack)`
  position: absolute;
  inset: 0;
  cursor: pointer;
`;

const Thumb = styled(SliderThumb)`
  top: 8px;
  width: 12px;
  height: 12px;
  border-radius: ${theme.radius.full};
  background: ${theme.color.accent};
  ${focusRing}
`;
