import { useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { ellipsis } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { spanLabel } from '../layout/event-labels.ts';
import type { Moved } from './use-moving.ts';

/** The target position, as CSS lengths within the grid. */
export type Box = { key: string; left: string; top: string; width: string; height: string };

type Props = { moved: Moved; boxes: readonly Box[] };

/** Shows the event being moved. During a move by keyboard, it has focus. */
export function Ghost({ moved: { event, span, by }, boxes }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (by === 'keys') button.current?.focus({ preventScroll: true });
  }, [by]);
  const [first] = boxes;
  const position = `${first?.left} ${first?.top}`;
  useEffect(() => {
    if (by === 'keys' && position) button.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [by, position]);
  return boxes.map(({ key, ...style }, index) => (
    <Block
      key={index === 0 ? 'first' : key}
      ref={index === 0 ? button : null}
      type="button"
      tabIndex={-1}
      aria-label={`Moving ${event?.title ?? 'a new meeting'}`}
      aria-hidden={index > 0 || by === 'pointer'}
      style={style}
    >
      <b dir="auto">{event?.title ?? 'New meeting'}</b>
      <span>{spanLabel(span)}</span>
    </Block>
  ));
}

const Block = styled.button`
  position: absolute;
  z-index: 4;
  display: flex;
  flex-direction: column;
  min-width: 0;
  padding: 2px 4px 2px 8px;
  overflow: hidden;
  border: 0;
  border-radius: ${theme.radius.sm};
  background: ${theme.color.accent};
  color: ${theme.color.onAccent};
  box-shadow: ${theme.shadow.float};
  font: ${theme.text.xs};
  text-align: start;
  pointer-events: none;
  scroll-margin: 96px 0 24px 64px;
  outline: none;
  > * {
    ${ellipsis}
    font-variant-numeric: tabular-nums;
  }
  b {
    font-weight: 500;
  }
`;
