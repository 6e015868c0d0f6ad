import { type CSSProperties, useState } from 'react';
import { css, styled } from 'styled-components';
import { theme } from '../../ui/theme.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { displayName, hueOf, initials, type PersonLike } from './person.ts';

export type Presence = 'online' | 'away' | 'offline';

type Props = {
  person: PersonLike;
  size?: number;
  presence?: Presence | undefined;
  /** Off where the name stands beside it. */
  isNamed?: boolean;
};

/** A photograph, or initials on the person's own hue. */
export function Avatar({ person, size = 32, presence, isNamed = false }: Props) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null);
  const photo = person.avatar && person.avatar !== brokenUrl ? person.avatar : null;
  return (
    <Disc style={discStyle(person._id, size)} title={isNamed ? displayName(person) : undefined}>
      {photo ? (
        <Photo src={photo} alt="" onError={() => setBrokenUrl(photo)} />
      ) : (
        <span aria-hidden="true">{initials(person)}</span>
      )}
      {isNamed && <VisuallyHidden>{displayName(person)}</VisuallyHidden>}
      {presence && (
        <Dot $presence={presence} title={presence}>
          <VisuallyHidden>{presence}</VisuallyHidden>
        </Dot>
      )}
    </Disc>
  );
}

/** A round mark with letters of its own, such as a conversation's. */
export function LetterMark({ id, letters, size = 36 }: { id: string; letters: string; size?: number }) {
  return (
    <Disc style={discStyle(id, size)} aria-hidden="true">
      {letters}
    </Disc>
  );
}

function discStyle(id: string, size: number): CSSProperties & Record<'--hue' | '--size', string | number> {
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

const Disc = styled.span`
  ${discLook}
  background: hsl(var(--hue) var(--person-ground));
  color: hsl(var(--hue) var(--person-ink));
`;

const Photo = styled.img`
  width: 100%;
  height: 100%;
  border-radius: inherit;
  object-fit: cover;
`;

const presenceColor = { online: theme.color.success, away: theme.color.warning, offline: theme.color.lineStrong };

const Dot = styled.span<{ $presence: Presence }>`
  position: absolute;
  right: -1px;
  bottom: -1px;
  width: 10px;
  height: 10px;
  border: 2px solid ${theme.color.surface};
  border-radius: ${theme.radius.full};
  background: ${({ $presence }) => presenceColor[$presence]};
`;
