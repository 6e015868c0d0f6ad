import type { CSSProperties } from 'react';
import { css, styled } from 'styled-components';
import { fnv1a } from '#lib/fnv1a.ts';
import { theme } from './theme.ts';

export const hueOf = (id: string): number => fnv1a(id) % 360;

export function Initials({ id, letters, size = 36 }: { id: string; letters: string; size?: number }) {
  return (
    <InitialsCircle style={circleStyle(id, size)} aria-hidden="true">
      {letters}
    </InitialsCircle>
  );
}

export function circleStyle(id: string, size: number): CSSProperties & Record<'--hue' | '--size', string | number> {
  return { '--hue': hueOf(id), '--size': `${size}px` };
}

export const circleStyles = css`
  position: relative;
  display: inline-grid;
  place-items: center;
  flex: none;
  width: var(--size);
  height: var(--size);
  border-radius: ${theme.radius.full};
  font: 600 calc(var(--size) * 0.36) / 1 var(--font);
  user-select: none;
`;

export const InitialsCircle = styled.span`
  ${circleStyles}
  background: hsl(var(--hue) var(--person-ground));
  color: hsl(var(--hue) var(--person-ink));
`;
