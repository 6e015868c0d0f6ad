import type { CSSProperties } from 'react';
import { css, styled } from 'styled-components';
import { hashOf } from '../lib/fnv1a.ts';
import { theme } from './theme.ts';

/** A hue from 0 to 359 made from an id, the same everywhere. */
export const hueOf = (id: string): number => hashOf(id) % 360;

/** A round mark with letters of its own, such as a conversation's. */
export function Initials({ id, letters, size = 36 }: { id: string; letters: string; size?: number }) {
  return (
    <InitialsCircle style={discStyle(id, size)} aria-hidden="true">
      {letters}
    </InitialsCircle>
  );
}

export function discStyle(id: string, size: number): CSSProperties & Record<'--hue' | '--size', string | number> {
  return { '--hue': hueOf(id), '--size': `${size}px` };
}

export const discLook = css`
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
  ${discLook}
  background: hsl(var(--hue) var(--person-ground));
  color: hsl(var(--hue) var(--person-ink));
`;
