import type { Session } from '@atrium/proto-events/http/auth';
import { Laptop, Smartphone } from 'lucide-react';
import { styled } from 'styled-components';
import { Button } from '#ui/button.tsx';
import { IconTile } from '#ui/layout/primitives.ts';
import { captionStyles, dividedStyles, inlineStyles } from '#ui/mixins.ts';
import { Pill } from '#ui/pill.tsx';
import { theme } from '#ui/theme.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';

type Props = { session: Session; onSignOut: () => void };

export function SessionRow({ session, onSignOut }: Props) {
  const { device, address, createdAt, lastUsedAt, current } = session;
  const isPhone = /iPhone|iPad|Android/.test(device);
  return (
    <Row>
      <IconTile $size={36} aria-hidden="true">
        {isPhone ? <Smartphone /> : <Laptop />}
      </IconTile>
      <div>
        <Device>
          {device}
          {current && <Pill tone="success">This device</Pill>}
        </Device>
        <p>
          {address && `${address} · `}
          Signed in <RelativeTime time={createdAt} />
          {' · '}
          {current ? 'Active now' : <LastUsed time={lastUsedAt} />}
        </p>
      </div>
      {!current && (
        <Button size="sm" onPress={onSignOut} aria-label={`Sign out ${device}`}>
          Sign out
        </Button>
      )}
    </Row>
  );
}

function LastUsed({ time }: { time: string }) {
  return (
    <>
      Last used <RelativeTime time={time} />
    </>
  );
}

export const Row = styled.li`
  ${inlineStyles(4)}
  padding: ${theme.space[4]} ${theme.space[6]};
  ${dividedStyles}
  > div {
    flex: 1;
    min-width: 0;
  }
  p {
    margin-top: 2px;
    ${captionStyles}
    font-variant-numeric: tabular-nums;
  }
  ${theme.media.small} {
    align-items: flex-start;
    gap: ${theme.space[3]};
    padding: ${theme.space[3]} ${theme.space[4]};
  }
`;

export const Device = styled.strong`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${theme.space[1]} ${theme.space[2]};
  font-weight: 500;
`;
