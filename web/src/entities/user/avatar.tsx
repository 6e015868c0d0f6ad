import { useState } from 'react';
import { styled } from 'styled-components';
import { circleStyle, InitialsCircle } from '#ui/initials-circle.tsx';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { displayName, initials, type NamedUser } from './user-labels.ts';

export type Presence = 'online' | 'away' | 'offline';

type Props = {
  user: NamedUser;
  size?: number;
  presence?: Presence | undefined;
  showsName?: boolean;
};

export function Avatar({ user, size = 32, presence, showsName = false }: Props) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null);
  const photo = user.avatar && user.avatar !== brokenUrl ? user.avatar : null;
  return (
    <InitialsCircle style={circleStyle(user._id, size)} title={showsName ? displayName(user) : undefined}>
      {photo ? (
        <Photo src={photo} alt="" onError={() => setBrokenUrl(photo)} />
      ) : (
        <span aria-hidden="true">{initials(user)}</span>
      )}
      {showsName && <VisuallyHidden>{displayName(user)}</VisuallyHidden>}
      {presence && (
        <Dot $presence={presence} title={presence}>
          <VisuallyHidden>{presence}</VisuallyHidden>
        </Dot>
      )}
    </InitialsCircle>
  );
}

const Photo = styled.img`
  width: 100%;
  height: 100%;
  border-radius: inherit;
  object-fit: cover;
`;

const presenceColor = { online: theme.color.success, away: theme.color.warning, offline: theme.color.lineStrong };

const Dot = styled.span<{ $presence: Presence }>`
  position: absolute;
  inset-inline-end: -1px;
  bottom: -1px;
  width: 10px;
  height: 10px;
  border: 2px solid ${theme.color.surface};
  border-radius: ${theme.radius.full};
  background: ${({ $presence }) => presenceColor[$presence]};
`;
