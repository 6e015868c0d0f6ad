import type { User } from '@atrium/proto-events/people';
import { mailtoUri } from '@atrium/proto-events/text/email';
import { Building2, CalendarCheck, Mail, MapPin, Phone } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { styled } from 'styled-components';
import { AccountPill } from '#entities/user/account-status.tsx';
import { Avatar, type Presence } from '#entities/user/avatar.tsx';
import { MessageLink } from '#entities/user/message-link.tsx';
import { displayName, roleLabel } from '#entities/user/user-labels.ts';
import { Box, Caption, Inline, Text } from '#ui/layout/primitives.ts';
import { captionStyles, ellipsis, inlineStyles } from '#ui/mixins.ts';
import { CardSurface } from '#ui/pages/card.tsx';
import { theme } from '#ui/theme.ts';
import { fullTime, shortDate } from '#ui/times/time-format.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';

type Props = { user: User; presence: Presence | undefined };

/** Memoized: a search re-renders a list of up to a hundred cards on each keystroke. */
export const MemberCard = memo(function MemberCard({ user, presence }: Props) {
  const name = displayName(user);
  return (
    <Card as="article" aria-label={name}>
      <Inline $gap={3}>
        <Avatar user={user} size={48} presence={presence} />
        <Box $flex="fill">
          <Text as="h3" $clamp={1} title={name} dir="auto">
            {name}
          </Text>
          <Caption $clamp={1}>{roleLabel(user.role)}</Caption>
        </Box>
        <AccountPill user={user} />
      </Inline>
      <Details>
        <DetailItem icon={<Building2 />} name="Department">
          {user.department?.name ?? <Text $tone="text3">No department</Text>}
        </DetailItem>
        <DetailItem icon={<Mail />} name="Email">
          <a href={mailtoUri(user.email)} title={user.email}>
            {user.email}
          </a>
        </DetailItem>
        {user.phone && (
          <DetailItem icon={<Phone />} name="Phone">
            <a href={`tel:${user.phone}`}>{user.phone}</a>
          </DetailItem>
        )}
        {user.location && (
          <DetailItem icon={<MapPin />} name="Location">
            <span title={user.location} dir="auto">
              {user.location}
            </span>
          </DetailItem>
        )}
        <DetailItem icon={<CalendarCheck />} name="Joined">
          <time dateTime={user.joinDate} title={fullTime(user.joinDate)}>
            Joined {shortDate(user.joinDate)}
          </time>
        </DetailItem>
      </Details>
      <Reach>
        <MessageLink user={user} size="sm" />
      </Reach>
      {user.bio && (
        <Foot>
          <Text as="p" $clamp={2} title={user.bio} dir="auto">
            {user.bio}
          </Text>
        </Foot>
      )}
    </Card>
  );
});

function DetailItem({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) {
  return (
    <div>
      <dt>
        {icon}
        <VisuallyHidden>{name}</VisuallyHidden>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

const Card = styled(CardSurface)`
  display: flex;
  flex-direction: column;
  gap: ${theme.space[4]};
  padding: ${theme.space[5]};
  ${theme.media.small} {
    padding: ${theme.space[4]};
  }
`;

const Reach = styled.div`
  display: flex;
  margin-top: auto;
  &:empty {
    display: none;
  }
`;

const Foot = styled.div`
  padding-top: ${theme.space[3]};
  border-top: 1px solid ${theme.color.line};
`;

const Details = styled.dl`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${theme.space[2]};
  ${captionStyles}
  > div {
    ${inlineStyles(2)}
  }
  dt {
    display: flex;
    position: relative;
    color: ${theme.color.text3};
  }
  dd {
    min-width: 0;
    ${ellipsis}
    font-variant-numeric: tabular-nums;
  }
  a {
    color: inherit;
  }
  a:hover {
    color: ${theme.color.accent};
  }
  svg {
    width: 16px;
    height: 16px;
    stroke-width: 1.75;
  }
`;
